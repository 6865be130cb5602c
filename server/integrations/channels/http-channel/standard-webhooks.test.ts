// How old or early a signed request may be, on a clock that stands still.
import { expect, it } from 'vitest'
import { newSecret } from './http-channel.access.ts'
import { signatureProblem, signedHeaders } from './standard-webhooks.ts'

const NOW = Date.UTC(2026, 0, 1)

it.each([
  ['five minutes old', -300_000, null],
  ['older', -301_000, 'timestamp_out_of_range'],
  ['five minutes early', 300_000, null],
  ['earlier', 301_000, 'timestamp_out_of_range'],
])('a request that is %s', (_, signedAfterMs, problem) => {
  const secret = newSecret()
  const headers = new Headers(signedHeaders(secret, 'one', 'body', NOW + signedAfterMs))
  expect(signatureProblem(secret, headers, 'body', NOW)).toBe(problem)
})
