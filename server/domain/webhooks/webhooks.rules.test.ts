// When deliveries are tried again and given up, and what receivers may ask for.
import { describe, expect, it } from 'vitest'
import { isTaken, judge, restAskedMs } from './webhooks.rules.ts'

const HOUR_MS = 3_600_000
const failed = { error: 'status' } as const

describe('an event that fails every time', () => {
  /** The tries of an event whose every attempt is made the moment it is due, by hours since the first. */
  function triesOf(random: number): number[] {
    const at = [0]
    for (let now = 0; ; ) {
      const verdict = judge(failed, { tries: at.length - 1, firstAgoMs: now }, random)
      if (verdict.state !== 'waiting') return at.map((ms) => ms / HOUR_MS)
      now += verdict.waitMs
      at.push(now)
    }
  }

  it('is tried at least eight times, over at least a day', () => {
    for (const random of [0, 1]) {
      const hours = triesOf(random)
      expect(hours.length).toBeGreaterThanOrEqual(8)
      expect(hours.at(-1)).toBeGreaterThanOrEqual(24)
      expect(hours.at(-1)).toBeLessThan(30)
    }
  })

  it('is tried often at first', () => {
    expect(triesOf(0).filter((hours) => hours < 1)).toHaveLength(6)
  })

  it('is not given up for a day of being tried rarely, nor for many tries in a short time', () => {
    expect(judge(failed, { tries: 3, firstAgoMs: 30 * HOUR_MS }, 0).state).toBe('waiting')
    expect(judge(failed, { tries: 50, firstAgoMs: 23 * HOUR_MS }, 0).state).toBe('waiting')
  })
})

it('takes success alone for an arrival', () => {
  expect([200, 202, 204, 299].every(isTaken)).toBe(true)
  expect([100, 301, 302, 307, 400, 404, 410, 429, 500, 503].some(isTaken)).toBe(false)
})

describe('what a receiver asks for', () => {
  const now = Date.UTC(2026, 10, 28)
  it.each([
    ['seconds', 503, '120', 120_000],
    ['a date', 429, new Date(now + 60_000).toUTCString(), 60_000],
    ['a date that is over', 503, new Date(now - 60_000).toUTCString(), 0],
    ['days, which is too much', 503, '864000', 6 * HOUR_MS],
    ['nothing', 503, null, 0],
    ['nonsense', 503, 'soon', 0],
    ['rest although it took the event', 200, '120', 0],
  ])('%s', (_, status, retryAfter, ms) => {
    expect(restAskedMs({ status, retryAfter }, now)).toBe(ms)
  })
})
