// What caps leave at a moment.
import { describe, expect, it } from 'vitest'
import {
  type Caps,
  DAY_MS,
  dailyCap,
  HOUR_MS,
  hasCaps,
  NO_CAPS,
  roomAt,
  type SentCounts,
  WARM_UP_DAYS,
} from './caps.ts'

const NOW = 1_000 * DAY_MS
const NONE: SentCounts = { hourFrom: null, inHour: 0, dayFrom: null, inDay: 0, lastAt: null }
const caps = (given: Partial<Caps>): Caps => ({ ...NO_CAPS, ...given })

describe('the room that caps leave', () => {
  it('is without end where nothing is capped', () => {
    expect(hasCaps(NO_CAPS)).toBe(false)
    expect(roomAt(NO_CAPS, NONE, NOW).room).toBe(Number.POSITIVE_INFINITY)
  })

  it('is what the hour and the day have not used up, and comes back when they are over', () => {
    const counts = { ...NONE, hourFrom: NOW - HOUR_MS + 1, inHour: 3, dayFrom: NOW - DAY_MS + 1, inDay: 9 }
    const both = caps({ perHour: 4, perDay: 10 })
    expect(roomAt(both, counts, NOW)).toMatchObject({ room: 1 })
    expect(roomAt(caps({ perHour: 3 }), counts, NOW)).toEqual({ room: 0, until: NOW + 1, reason: 'cap_hour' })
    expect(roomAt(both, counts, NOW + 1)).toMatchObject({ room: 4 })
  })

  it('is named by what is full for longest', () => {
    const counts = { ...NONE, hourFrom: NOW, inHour: 4, dayFrom: NOW, inDay: 4 }
    expect(roomAt(caps({ perHour: 4, perDay: 4 }), counts, NOW)).toEqual({
      room: 0,
      until: NOW + DAY_MS,
      reason: 'cap_day',
    })
  })

  it('is one message at a time where they are kept apart', () => {
    const paced = caps({ spacingMs: 5000 })
    expect(roomAt(paced, NONE, NOW)).toEqual({ room: 1, until: NOW + 5000, reason: 'cap_pace' })
    expect(roomAt(paced, { ...NONE, lastAt: NOW - 2000 }, NOW)).toEqual({
      room: 0,
      until: NOW + 3000,
      reason: 'cap_pace',
    })
    expect(roomAt(paced, { ...NONE, lastAt: NOW - 5000 }, NOW).room).toBe(1)
  })
})

describe('a warm-up', () => {
  it.each(['careful', 'normal'] as const)('%s grows every day and ends', (warmUp) => {
    const days = WARM_UP_DAYS[warmUp]
    const at = (day: number) => dailyCap(caps({ warmUp, warmUpSince: NOW }), NOW + day * DAY_MS)
    expect(days.map((_, day) => at(day))).toEqual(days)
    expect(days).toEqual(days.toSorted((a, b) => a - b))
    expect(new Set(days).size).toBe(days.length)
    expect(at(days.length)).toBeNull()
  })

  it('never allows more than what is set', () => {
    const both = caps({ warmUp: 'careful', warmUpSince: NOW, perDay: 25 })
    expect(dailyCap(both, NOW)).toBe(20)
    expect(dailyCap(both, NOW + DAY_MS)).toBe(25)
    expect(dailyCap(both, NOW + 100 * DAY_MS)).toBe(25)
  })
})
