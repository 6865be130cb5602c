// Tickets of exported files: only the server can issue one, and it is valid for one file of one organization until it expires.
import { z } from 'zod'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'

const ticketed = z.strictObject({
  exportId: z.string(),
  /** Milliseconds since the epoch. */
  until: z.number(),
})

/** The ticket as a text. */
export function exportTicket(
  secrets: Secrets,
  organizationId: Id<'organizations'>,
  given: { exportId: Id<'exports'>; until: number },
): string {
  return secrets.encrypt(JSON.stringify(given), placeOf(organizationId))
}

/** @throws AppError link_expired for a ticket that is too old, of another file or organization, or not issued by us */
export function checkTicket(
  secrets: Secrets,
  organizationId: Id<'organizations'>,
  asked: { exportId: Id<'exports'>; ticket: string; now: number },
): void {
  const found = opened(secrets, organizationId, asked.ticket)
  if (found?.exportId !== asked.exportId || found.until < asked.now) throw new AppError('link_expired')
}

function opened(secrets: Secrets, organizationId: Id<'organizations'>, ticket: string) {
  try {
    return ticketed.parse(JSON.parse(secrets.decrypt(ticket, placeOf(organizationId))))
  } catch {
    return undefined
  }
}

function placeOf(organizationId: Id<'organizations'>): string {
  return `export|${organizationId}|link`
}
