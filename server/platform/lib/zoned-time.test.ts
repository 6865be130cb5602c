// Local time in a time zone.
import { describe, expect, it } from 'vitest'
import { wallClock } from './zoned-time.ts'

describe('wallClock', () => {
  it.each([
    ['UTC', '2026-11-21T23:59:59.999Z', '2026-11-21', 5, 23],
    ['UTC', '2026-11-22T00:00:00.000Z', '2026-11-22', 6, 0],
    ['Asia/Almaty', '2026-11-22T19:00:00Z', '2026-11-23', 0, 0],
    ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31', 2, 23],
    ['Asia/Kathmandu', '2026-03-01T18:14:00Z', '2026-03-01', 6, 23],
    ['Asia/Kathmandu', '2026-03-01T18:15:00Z', '2026-03-02', 0, 0],
    ['UTC', '2028-02-29T12:00:00Z', '2028-02-29', 1, 12],
  ])('in %s at %s is %s, weekday %i, hour %i', (timeZone, at, day, weekday, hour) => {
    expect(wallClock(Date.parse(at), timeZone)).toEqual({ day, weekday, hour })
  })

  it('leaves an hour out when clocks go forward, and shows one twice when they go back', () => {
    const hours = (from: string) =>
      Array.from({ length: 4 }, (_, step) => wallClock(Date.parse(from) + step * 3_600_000, 'Europe/Berlin').hour)
    expect(hours('2026-03-29T00:00Z')).toEqual([1, 3, 4, 5])
    expect(hours('2026-10-24T23:00Z')).toEqual([1, 2, 2, 3])
  })

  it('refuses an unknown time zone', () => {
    expect(() => wallClock(0, 'Mars/Olympus')).toThrow(RangeError)
  })
})
