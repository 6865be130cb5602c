// What the outcome of a send means.
import { describe, expect, it } from 'vitest'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { judgeFailure } from './deliver.rules.ts'

const judge = (error: unknown, attempt: number, dropsRepeats = false) =>
  judgeFailure(error, { attempt, triedForMs: 0 }, dropsRepeats)

describe('a send that failed', () => {
  it('waits as long as the provider says, and is retried', () => {
    expect(judge(new AdapterError('rate_limited', '429', 7000), 1)).toMatchObject({
      status: 'queued',
      delayMs: 7000,
    })
  })

  it.each(['rate_limited', 'suspended'] as const)('because it is %s is not delayed for ever', (kind) => {
    const put = (delayMs: number, triedForMs: number) =>
      judgeFailure(new AdapterError(kind, '429', delayMs), { attempt: 2, triedForMs })
    expect(put(7000, 7_000_000)).toMatchObject({ status: 'queued' })
    expect(put(7000, 7_200_000)).toMatchObject({ status: 'failed', error: `${kind}: 429`, isTokenRefused: false })
  })

  it('fails at once when it is delayed for longer than its part may wait', () => {
    expect(judge(new AdapterError('rate_limited', '429', 86_400_000), 1)).toMatchObject({ status: 'failed' })
  })

  it('that definitely did not leave is retried with growing delays, and not for ever', () => {
    const waits = [1, 2, 3, 4, 5, 6, 100].map((attempt) => judge(new AdapterError('temporary', 'down'), attempt))
    expect(waits.map((verdict) => verdict.delayMs)).toEqual([1000, 2000, 5000, 10_000, 30_000, 30_000, 30_000])
    expect(judge(new AdapterError('temporary', 'down'), 240)).toMatchObject({ status: 'failed' })
    expect(judge(new AdapterError('temporary', 'down'), 1)).toMatchObject({ isUnreachable: true })
    expect(judge(new AdapterError('blocked', '403'), 1)).toMatchObject({ isUnreachable: false })
  })

  it('without a response is unknown, and never retried automatically', () => {
    expect(judge(new AdapterError('unknown_outcome', 'no answer'), 1)).toMatchObject({
      status: 'unknown',
      delayMs: 0,
    })
    expect(judge(new TypeError('a bug'), 1)).toMatchObject({ status: 'unknown' })
  })

  it('without a response is retried with growing delays where the receiver drops repeats, and not for ever', () => {
    const waits = [1, 2, 6].map((attempt) => judge(new AdapterError('unknown_outcome', ''), attempt, true))
    expect(waits).toMatchObject(
      [1000, 2000, 30_000].map((delayMs) => ({ status: 'queued', delayMs, mayHaveArrived: true })),
    )
    expect(judge(new AdapterError('unknown_outcome', ''), 240, true)).toMatchObject({ status: 'unknown' })
    expect(judge(new TypeError('a bug'), 1, true)).toMatchObject({ status: 'unknown' })
  })

  it('because the token is refused waits for another one, and not for ever; it marks the connection', () => {
    const refused = (triedForMs: number) =>
      judgeFailure(new AdapterError('unauthorized', '401'), { attempt: 9, triedForMs })
    expect(refused(0)).toMatchObject({ status: 'queued', delayMs: 30_000, isTokenRefused: true, mayHaveArrived: false })
    expect(refused(7_200_000)).toMatchObject({ status: 'failed', isTokenRefused: true })
  })

  it('permanently is recorded as failed', () => {
    expect(judge(new AdapterError('blocked', '403'), 1)).toMatchObject({
      status: 'failed',
      isTokenRefused: false,
    })
    expect(judge(new AdapterError('permanent', '400'), 1)).toMatchObject({
      status: 'failed',
      isTokenRefused: false,
    })
  })
})
