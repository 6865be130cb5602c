// Sessions of visitors. A visitor has no row before the first message: the token, which only the server can issue, says who it is, and it
// is valid for one widget only.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { WEBCHAT_SESSION_MS, WEBCHAT_VISITOR_MS } from '#shared/limits.ts'

const VISITOR_BYTES = 16
const session = z.strictObject({
  visitorId: z.string().min(1),
  /** The name of a visitor that the site has signed; null: not signed. */
  signedName: z.string().nullable(),
  /** When the token was made, milliseconds since the epoch. */
  at: z.number(),
})
/** The visitor of a session. */
export type SessionVisitor = Omit<z.infer<typeof session>, 'at'>

/** An id for a new visitor. */
export function newVisitorId(): string {
  return randomBytes(VISITOR_BYTES).toString('base64url')
}

/** A token for a visitor of the widget with this key, from now on. */
export function sessionToken(secrets: Secrets, key: string, visitor: SessionVisitor, now: number): string {
  return secrets.encrypt(JSON.stringify({ ...visitor, at: now }), placeOf(key))
}

/** Whose session it is; null for a token that is too old, of another widget, or not issued by us. */
export function visitorOf(secrets: Secrets, key: string, token: string, now: number): SessionVisitor | null {
  return readToken(secrets, { key, token, now, maxAgeMs: WEBCHAT_SESSION_MS })
}

/**
 * Id of a visitor who returns: a token that is too old to act by still identifies the conversation. Null: an unknown visitor, or one whom
 * the site has to sign again.
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
