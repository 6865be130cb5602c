// What all of Meta's webhooks have in common: their signature, the verification request before the first delivery, and keys for
// notifications without an id.
// @source developers.facebook.com/docs/graph-api/webhooks/getting-started
import { createHash, createHmac } from 'node:crypto'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'

const HEADER = 'x-hub-signature-256'

/** Whether the body is signed with the secret of the app; never by an empty one. Constant time. */
export function isSigned(appSecret: string, headers: Headers, body: string): boolean {
  return appSecret !== '' && constantTimeEqual(headers.get(HEADER) ?? '', signatureOf(appSecret, body))
}

/** The headers of a body as Meta sends it. */
export function signedHeaders(appSecret: string, body: string): Record<string, string> {
  return { [HEADER]: signatureOf(appSecret, body) }
}

/** The answer to Meta's check of a webhook address; null: the request is not from the app. Constant time. */
export function answerSubscription(verifyToken: string, query: URLSearchParams): string | null {
  const isAsked = query.get('hub.mode') === 'subscribe'
  const isTheirs = constantTimeEqual(query.get('hub.verify_token') ?? '', verifyToken)
  return isAsked && isTheirs ? query.get('hub.challenge') : null
}

/** A key for a notification without an id: an equal body is the same notification. */
export function keyOfBody(body: unknown): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(body) ?? 'undefined')
    .digest('base64url')}`
}

function signatureOf(appSecret: string, body: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}
