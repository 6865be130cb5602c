// Errors in the shapes in which Google sends them, and what they mean.
import { expect, it } from 'vitest'
import { CalendarFailure, failureOf } from './failures.ts'

const api = (status: number, reason: string) => ({
  status,
  response: { data: { error: { code: status, message: `about ${reason}`, errors: [{ reason }] } } },
})
const oauth = (status: number, error: string) => ({ status, response: { data: { error, error_description: 'why' } } })

it.each([
  [oauth(400, 'invalid_grant'), 'reauthorization'],
  [oauth(401, 'invalid_client'), 'client'],
  [oauth(503, 'temporarily_unavailable'), 'unreachable'],
  [api(401, 'authError'), 'reauthorization'],
  [api(403, 'insufficientPermissions'), 'scope'],
  [api(403, 'rateLimitExceeded'), 'rate_limited'],
  [api(403, 'userRateLimitExceeded'), 'rate_limited'],
  [api(403, 'accessNotConfigured'), 'not_enabled'],
  [api(403, 'forbiddenForNonOrganizer'), 'refused'],
  [api(404, 'notFound'), 'gone'],
  [api(409, 'duplicate'), 'exists'],
  [api(410, 'deleted'), 'gone'],
  [api(429, 'anything'), 'rate_limited'],
  [api(500, 'backendError'), 'unreachable'],
  [new Error('connect ECONNREFUSED'), 'unreachable'],
] as const)('%j is %s', (error, kind) => {
  expect(failureOf(error).kind).toBe(kind)
})

it('says what Google says', () => {
  expect(failureOf(api(403, 'accessNotConfigured')).message).toBe('about accessNotConfigured')
  expect(failureOf(oauth(400, 'invalid_grant')).message).toBe('why')
  const failure = new CalendarFailure('gone', 'x')
  expect(failureOf(failure)).toBe(failure)
})
