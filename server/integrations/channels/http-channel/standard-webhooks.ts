// Signatures over the id, the time and the body of a webhook, the same in both directions.
// @source github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac } from 'node:crypto'
import { constantTimeEqual } from '#server/platform/lib/constant-time-equal.ts'
import { keyBytes, secretsAmong } from './http-channel.access.ts'

/** Why a request is rejected. */
export type SignatureProblem = 'signature_missing' | 'timestamp_out_of_range' | 'signature_invalid'

/** The allowed difference of clocks, after which a recorded request cannot be replayed. */
const TOLERANCE_MS = 5 * 60_000
const ID = /^[\x21-\x7e]{1,200}$/
const SECONDS = /^\d{1,12}$/

/** The headers of a request, signed with every valid secret. */
export function signedHeaders(keys: string, id: string, body: string, now: number): Record<string, string> {
  const seconds = String(Math.floor(now / 1000))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secretsAmong(keys, now)
      .map((secret) => signature(secret, id, seconds, body))
      .join(' '),
  }
}

/** Why a request is rejected whatever its body; null where it is not. */
export function headersProblem(headers: Headers, now: number): SignatureProblem | null {
  const seconds = headers.get('webhook-timestamp') ?? ''
  const isSigned = ID.test(headers.get('webhook-id') ?? '') && SECONDS.test(seconds) && headers.has('webhook-signature')
  if (!isSigned) return 'signature_missing'
  return Math.abs(now - Number(seconds) * 1000) > TOLERANCE_MS ? 'timestamp_out_of_range' : null
}

/** Null for a request recently signed with one of the secrets. Constant time. */
export function signatureProblem(keys: string, headers: Headers, body: string, now: number): SignatureProblem | null {
  const problem = headersProblem(headers, now)
  if (problem) return problem
  const id = headers.get('webhook-id') ?? ''
  const seconds = headers.get('webhook-timestamp') ?? ''
  const given = headers.get('webhook-signature')?.split(' ') ?? []
  const expected = secretsAmong(keys, now).map((secret) => signature(secret, id, seconds, body))
  const matches = expected.map((each) => given.map((one) => constantTimeEqual(one, each)).includes(true))
  return matches.includes(true) ? null : 'signature_invalid'
}

function signature(secret: string, id: string, seconds: string, body: string): string {
  return `v1,${createHmac('sha256', keyBytes(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`
}
