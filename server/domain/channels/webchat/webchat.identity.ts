// Visitors known to a site: it signs who they are with the secret of its widget, and they are the same customer on every device.
import { createHash, createHmac } from 'node:crypto'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'
import type { VisitorIdentity } from '#shared/channels/webchat.ts'

/** The visitor that a signature is about. */
export type SignedVisitor = { userId: string; name: string | null }

/** The value that the site has to send as `hash`: HMAC-SHA256, hexadecimal, of the id; with a name, of both on two lines. */
export function identityHash(secret: string, { userId, name }: SignedVisitor): string {
  return createHmac('sha256', secret)
    .update(name === null ? userId : `${userId}\n${name}`)
    .digest('hex')
}

/** The signed visitor; null for a signature that is not the site's. */
export function readIdentity(secret: string, { userId, name, hash }: VisitorIdentity): SignedVisitor | null {
  const claimed = { userId, name: name ?? null }
  return constantTimeEqual(hash, identityHash(secret, claimed)) ? claimed : null
}

/** The id of a signed visitor: always the same for one widget, and never one that a browser was given by chance, which is shorter. */
export function signedVisitorId(key: string, { userId }: Pick<SignedVisitor, 'userId'>): string {
  return createHash('sha256').update(`${key}\n${userId}`).digest('base64url')
}
