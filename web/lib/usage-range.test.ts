// Days of a usage overview.
import { describe, expect, it } from 'vitest'
import { usageRange } from './usage-range.ts'

const at = (text: string) => Date.parse(text)

describe('usageRange', () => {
  it.each([
    ['UTC', '2026-11-21T10:00Z', '2026-10-23T00:00Z', '2026-11-22T00:00Z'],
    ['Asia/Almaty', '2026-11-21T20:00Z', '2026-10-23T19:00Z', '2026-11-22T19:00Z'],
    ['Asia/Kathmandu', '2026-11-21T18:14Z', '2026-10-22T18:15Z', '2026-11-21T18:15Z'],
    ['America/New_York', '2026-11-21T10:00Z', '2026-10-23T04:00Z', '2026-11-22T05:00Z'], // the clocks went back between
    ['Europe/Berlin', '2026-03-29T00:30Z', '2026-02-27T23:00Z', '2026-03-29T22:00Z'], // a day of 23 hours
    ['UTC', '2026-11-21T00:00Z', '2026-10-23T00:00Z', '2026-11-22T00:00Z'],
  ])('in %s at %s are 30 days from %s to %s', (timeZone, now, start, end) => {
    expect(usageRange(at(now), 30, timeZone)).toEqual({ start: at(start), end: at(end) })
  })
})
