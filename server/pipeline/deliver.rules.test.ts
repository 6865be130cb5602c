// What the outcome of a send means.
import { describe, expect, it } from 'vitest'
import { AdapterError } from '#server/adapters/channel.ts'
import { judgeFailure } from './deliver.rules.ts'

describe('a send that failed', () => {
  it('waits as long as the provider says, and is tried again', () => {
    expect(judgeFailure(new AdapterError('rate_limited', '429', 7000), 1)).toMatchObject({
      status: 'queued',
      delayMs: 7000,
    })
  })

  it('that surely did not leave is tried again, ever more rarely, and not for ever', () => {
    const waits = [1, 2, 3, 4, 5, 6, 100].map((attempt) => judgeFailure(new AdapterError('temporary', 'down'), attempt))
    expect(waits.map((verdict) => verdict.delayMs)).toEqual([1000, 2000, 5000, 10_000, 30_000, 30_000, 30_000])
    expect(judgeFailure(new AdapterError('temporary', 'down'), 240)).toMatchObject({ status: 'failed' })
    expect(judgeFailure(new AdapterError('temporary', 'down'), 1)).toMatchObject({ isUnreachable: true })
    expect(judgeFailure(new AdapterError('blocked', '403'), 1)).toMatchObject({ isUnreachable: false })
  })

  it('without an answer is unknown, and never tried again by itself', () => {
    expect(judgeFailure(new AdapterError('unknown_outcome', 'no answer'), 1)).toMatchObject({
      status: 'unknown',
      delayMs: 0,
    })
    expect(judgeFailure(new TypeError('a bug'), 1)).toMatchObject({ status: 'unknown' })
  })

  it('without an answer is tried again where the receiver drops repeats, ever more rarely, and not for ever', () => {
    const waits = [1, 2, 6].map((attempt) => judgeFailure(new AdapterError('unknown_outcome', ''), attempt, true))
    expect(waits).toMatchObject(
      [1000, 2000, 30_000].map((delayMs) => ({ status: 'queued', delayMs, mayHaveArrived: true })),
    )
    expect(judgeFailure(new AdapterError('unknown_outcome', ''), 240, true)).toMatchObject({ status: 'unknown' })
    expect(judgeFailure(new TypeError('a bug'), 1, true)).toMatchObject({ status: 'unknown' })
  })

  it('for good is failed; a refused token also concerns the connection', () => {
    expect(judgeFailure(new AdapterError('blocked', '403'), 1)).toMatchObject({
      status: 'failed',
      isTokenRefused: false,
    })
    expect(judgeFailure(new AdapterError('permanent', '400'), 1)).toMatchObject({
      status: 'failed',
      isTokenRefused: false,
    })
    expect(judgeFailure(new AdapterError('unauthorized', '401'), 1)).toMatchObject({
      status: 'failed',
      isTokenRefused: true,
    })
  })
})
