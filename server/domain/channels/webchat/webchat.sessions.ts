// Sessions of visitors. No row knows of a visitor before the first message: the token says who it is, which only we can write, and it
// is worth something for one widget only.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { WEBCHAT_SESSION_MS, WEBCHAT_VISITOR_MS } from '#shared/limits.ts'

const VISITOR_BYTES = 16
const session = z.strictObject({
  visitorId: z.string().min(1),
  /** What people call a visitor whom the site has signed; null: nobody has. */
  signedName: z.string().nullable(),
  /** When the token was made, milliseconds since the epoch. */
  at: z.number(),
})
/** Who a session is about. */
export type SessionVisitor = Omit<z.infer<typeof session>, 'at'>

/** A visitor who has not been here before. */
export function newVisitorId(): string {
  return randomBytes(VISITOR_BYTES).toString('base64url')
}

/** A token for a visitor of the widget with this key, from now on. */
export function sessionToken(secrets: Secrets, key: string, visitor: SessionVisitor, now: number): string {
  return secrets.encrypt(JSON.stringify({ ...visitor, at: now }), placeOf(key))
}

/** Whose session it is; null for a token that is too old, of another widget, or none of ours. */
export function visitorOf(secrets: Secrets, key: string, token: string, now: number): SessionVisitor | null {
  return readToken(secrets, { key, token, now, maxAgeMs: WEBCHAT_SESSION_MS })
}

/**
 * Who comes back: a token that is too old to act by still says whose conversation it was. Null: nobody we know, or somebody whom the
 * site has to sign again.
 */
export function returningVisitor(secrets: Secrets, key: string, token: string, now: number): string | null {
  const visitor = readToken(secrets, { key, token, now, maxAgeMs: WEBCHAT_VISITOR_MS })
  return visitor?.signedName === null ? visitor.visitorId : null
}

type Given = { key: string; token: string; now: number; maxAgeMs: number }

function readToken(secrets: Secrets, { key, token, now, maxAgeMs }: Given): SessionVisitor | null {
  try {
    const { at, ...visitor } = session.parse(JSON.parse(secrets.decrypt(token, placeOf(key))))
    return now - at <= maxAgeMs ? visitor : null
  } catch {
    return null
  }
}

function placeOf(key: string): string {
  return `webchat|${key}|session`
}
