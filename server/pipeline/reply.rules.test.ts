// What a failed generation leads to.
import { describe, expect, it } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { planAfterFailure } from './reply.rules.ts'

const failed = (reason: string, more: Record<string, number> = {}) => new AppError('model_failed', { reason, ...more })

describe('after a failed generation', () => {
  it('a temporary trouble is tried twice more, with growing waits', () => {
    expect([0, 1, 2].map((before) => planAfterFailure(failed('unavailable'), before, 0).retryAfterMs)).toEqual([
      1000,
      5000,
      null,
    ])
  })

  it('tries of many turns are spread', () => {
    expect(planAfterFailure(failed('timeout'), 0, 1).retryAfterMs).toBe(1500)
  })

  it('a provider is given the time it asks for, within reason', () => {
    expect(planAfterFailure(failed('rate_limited', { retryAfterMs: 20_000 }), 0, 0).retryAfterMs).toBe(20_000)
    expect(planAfterFailure(failed('rate_limited', { retryAfterMs: 3_600_000 }), 0, 0).retryAfterMs).toBeNull()
  })

  it('what trying again cannot mend is given up at once, with its reason', () => {
    for (const reason of ['quota', 'invalid_key', 'refused', 'too_long', 'filtered']) {
      expect(planAfterFailure(failed(reason), 0, 0)).toEqual({ reason, retryAfterMs: null })
    }
    expect(planAfterFailure(new AppError('model_not_configured'), 0, 0)).toEqual({
      reason: 'model_not_configured',
      retryAfterMs: null,
    })
  })

  it('something unexpected is tried again, and named internal', () => {
    expect(planAfterFailure(new TypeError('a bug'), 0, 0)).toEqual({ reason: 'internal', retryAfterMs: 1000 })
  })
})
