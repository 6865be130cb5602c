// Sessions of visitors. No row knows of a visitor before the first message: the token says who it is, which only we can write, and it
// is worth something for one widget only.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '#server/lib/secrets.ts'
import { WEBCHAT_SESSION_MS, WEBCHAT_VISITOR_MS } from '#shared/limits.ts'

const VISITOR_BYTES = 16
const session = z.strictObject({
  visitorId: z.string().min(1),
  /** When the token was made, milliseconds since the epoch. */
  at: z.number(),
})

/** A visitor who has not been here before. */
export function newVisitorId(): string {
  return randomBytes(VISITOR_BYTES).toString('base64url')
}

/** A token for a visitor of the widget with this key, from now on. */
export function sessionToken(secrets: Secrets, key: string, visitorId: string, now: number): string {
  return secrets.encrypt(JSON.stringify({ visitorId, at: now }), placeOf(key))
}

/** Whose session it is; null for a token that is too old, of another widget, or none of ours. */
export function visitorOf(secrets: Secrets, key: string, token: string, now: number): string | null {
  return readToken(secrets, key, token, now, WEBCHAT_SESSION_MS)
}

/** Who comes back: a token that is too old to act by still says whose conversation it was. Null: nobody we know. */
export function returningVisitor(secrets: Secrets, key: string, token: string, now: number): string | null {
  return readToken(secrets, key, token, now, WEBCHAT_VISITOR_MS)
}

function readToken(secrets: Secrets, key: string, token: string, now: number, maxAgeMs: number): string | null {
  try {
    const { visitorId, at } = session.parse(JSON.parse(secrets.decrypt(token, placeOf(key))))
    return now - at <= maxAgeMs ? visitorId : null
  } catch {
    return null
  }
}

function placeOf(key: string): string {
  return `webchat|${key}|session`
}
