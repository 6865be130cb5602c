// Addresses of files on their way to customers, for providers that fetch files by URL. Only the server can issue one; it contains the file
// and the expiry, so that no row has to.
import { z } from 'zod'
import type { Secrets } from '#server/platform/lib/secrets.ts'

const PLACE = 'sent file|link'
/** A provider fetches while the send waits. */
const LIVES_MS = 15 * 60_000

const ticketed = z.strictObject({ key: z.string(), until: z.number() })

export const SENT_FILES_PATH = '/api/files/sent'

/** The address of a file of the file store. `base`: of this installation, as providers reach it. */
export function sentFileLink(
  secrets: Secrets,
  base: string,
  { key, name }: { key: string; name: string },
  now: number,
): string {
  const ticket = secrets.encrypt(JSON.stringify({ key, until: now + LIVES_MS }), PLACE)
  return `${base}${SENT_FILES_PATH}/${ticket}/${encodeURIComponent(name)}`
}

/** The key of the file that a ticket stands for; null: it is too old, or not issued by us. */
export function readSentFile(secrets: Secrets, ticket: string, now: number): string | null {
  try {
    const { key, until } = ticketed.parse(JSON.parse(secrets.decrypt(ticket, PLACE)))
    return until < now ? null : key
  } catch {
    return null
  }
}
