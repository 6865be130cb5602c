// What failed generations lead to, and how the time for an answer is shared.
import { describe, expect, it } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { planAfterFailure, shareOfTime, type Tries, timeForTry } from './reply.rules.ts'

const failed = (reason: string, more: Record<string, number> = {}) => new AppError('model_failed', { reason, ...more })
const tries = (changes: Partial<Tries> = {}): Tries => ({
  before: 0,
  elapsedMs: 0,
  answerMs: 55_000,
  chance: 0,
  ...changes,
})
const waitAfter = (errors: unknown[], changes?: Partial<Tries>) => planAfterFailure(errors, tries(changes)).retryAfterMs

describe('after a failed generation', () => {
  it('a temporary trouble is tried twice more, with growing waits', () => {
    expect([0, 1, 2].map((before) => waitAfter([failed('unavailable')], { before }))).toEqual([1000, 5000, null])
  })

  it('tries of many turns are spread', () => {
    expect(waitAfter([failed('timeout')], { chance: 1 })).toBe(1500)
  })

  it('a provider is given the time it asks for, if the customer is still answered in time', () => {
    expect(waitAfter([failed('rate_limited', { retryAfterMs: 20_000 })])).toBe(20_000)
    expect(waitAfter([failed('rate_limited', { retryAfterMs: 3_600_000 })])).toBeNull()
    expect(waitAfter([failed('rate_limited', { retryAfterMs: 20_000 })], { elapsedMs: 30_000 })).toBeNull()
  })

  it('there is no other try when the time is over', () => {
    expect(waitAfter([failed('timeout')], { elapsedMs: 40_000 })).toBe(1000)
    expect(waitAfter([failed('timeout')], { elapsedMs: 54_000 })).toBeNull()
  })

  it('what trying again cannot mend is given up at once, with its reason', () => {
    for (const reason of ['quota', 'invalid_key', 'refused', 'too_long', 'filtered']) {
      expect(planAfterFailure([failed(reason)], tries())).toEqual({ reason, retryAfterMs: null })
    }
    expect(planAfterFailure([new AppError('model_not_configured')], tries())).toEqual({
      reason: 'model_not_configured',
      retryAfterMs: null,
    })
  })

  it('of several models, one that may recover is enough for another try; the agent’s own model gives the reason', () => {
    const errors = [failed('invalid_key'), failed('unavailable')]
    expect(planAfterFailure(errors, tries())).toEqual({ reason: 'invalid_key', retryAfterMs: 1000 })
    expect(waitAfter([failed('rate_limited', { retryAfterMs: 30_000 }), failed('unavailable')])).toBe(1000)
  })

  it('something unexpected is tried again, and named internal', () => {
    expect(planAfterFailure([new TypeError('a bug')], tries())).toEqual({ reason: 'internal', retryAfterMs: 1000 })
  })
})

describe('the time for an answer', () => {
  it('leaves something to every model that may still be asked, and all that is left to the last', () => {
    expect(shareOfTime(55_000, 1)).toEqual({ firstTokenMs: 55_000, totalMs: 55_000 })
    expect(shareOfTime(55_000, 2)).toEqual({ firstTokenMs: 27_500, totalMs: 41_250 })
    let leftMs = 55_000
    for (let models = 4; models > 0; models--) {
      const { firstTokenMs, totalMs } = shareOfTime(leftMs, models)
      expect(firstTokenMs).toBeGreaterThan(4000)
      leftMs -= totalMs
    }
    expect(leftMs).toBe(0)
  })

  it('is shared by the tries of a turn', () => {
    expect(timeForTry(55_000, 0)).toBe(55_000)
    expect(timeForTry(55_000, 20_000)).toBe(35_000)
  })

  it('starts from scratch for a retry that was delayed because no server was running', () => {
    expect(timeForTry(55_000, 3_600_000)).toBe(55_000)
  })
})
