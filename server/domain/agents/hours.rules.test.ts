// When an agent answers, around every hour of the week and every change of the clocks.
import { describe, expect, it } from 'vitest'
import { isNewClosure, isOpenAt } from './hours.rules.ts'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)
const never = Array.from({ length: 7 }, (): number[] => [])
const open = (hours: number[][]) => ({ isLimited: true, hours, outside: 'text' as const, text: 'Later' })
/** Monday to Friday, 9 to 18. */
const office = open(never.map((_, day) => (day < 5 ? [9, 10, 11, 12, 13, 14, 15, 16, 17] : [])))

describe('isOpenAt', () => {
  it('knows each of the 168 hours of a week by itself, from its first to its last millisecond', () => {
    const monday = at('2026-11-16T00:00Z')
    for (let slot = 0; slot < 168; slot++) {
      const only = open(never.map((_, day) => (day === Math.floor(slot / 24) ? [slot % 24] : [])))
      const found = Array.from({ length: 168 }, (_, hour) => hour).filter(
        (hour) => isOpenAt(only, 'UTC', monday + hour * HOUR) && isOpenAt(only, 'UTC', monday + (hour + 1) * HOUR - 1),
      )
      expect(found).toEqual([slot])
    }
  })

  it('is always so without limits, and never when no hour is chosen', () => {
    expect(isOpenAt({ ...open(never), isLimited: false }, 'UTC', 0)).toBe(true)
    expect(isOpenAt(open(never), 'UTC', 0)).toBe(false)
  })

  it.each([
    ['Asia/Almaty', '2026-11-20T03:59:59.999Z', false],
    ['Asia/Almaty', '2026-11-20T04:00Z', true],
    ['Asia/Almaty', '2026-11-20T12:59:59.999Z', true],
    ['Asia/Almaty', '2026-11-20T13:00Z', false],
    ['Asia/Kathmandu', '2026-11-20T03:14:59Z', false],
    ['Asia/Kathmandu', '2026-11-20T03:15Z', true],
    ['Pacific/Auckland', '2026-11-22T20:00Z', true], // Monday there
    ['Pacific/Honolulu', '2026-11-21T03:30Z', true], // Friday there
    ['Europe/Berlin', '2026-03-27T08:00Z', true], // 9 o'clock before the clocks go forward …
    ['Europe/Berlin', '2026-03-30T07:00Z', true], // … and after
    ['Europe/Berlin', '2026-03-30T16:00Z', false],
    ['Europe/Berlin', '2026-10-26T07:59Z', false],
    ['Europe/Berlin', '2026-10-26T08:00Z', true],
  ])('in %s at %s: %j', (timeZone, time, expected) => {
    expect(isOpenAt(office, timeZone, at(time))).toBe(expected)
  })

  it('has no hour that the clocks skip, and both of one that they repeat', () => {
    const sundayAtTwo = open(never.map((_, day) => (day === 6 ? [2] : [])))
    const openQuarters = (from: string) =>
      Array.from({ length: 96 }, (_, step) => at(from) + step * 15 * 60_000).filter((time) =>
        isOpenAt(sundayAtTwo, 'Europe/Berlin', time),
      ).length
    expect(openQuarters('2026-03-28T23:00Z')).toBe(0)
    expect(openQuarters('2026-10-24T22:00Z')).toBe(8)
    expect(openQuarters('2026-11-14T23:00Z')).toBe(4)
  })
})

describe('isNewClosure', () => {
  it.each([
    ['never notified', undefined, '2026-11-20T19:00Z', true],
    ['notified this evening', '2026-11-20T18:30Z', '2026-11-20T23:00Z', false],
    ['notified on Friday evening, it is Sunday', '2026-11-20T18:30Z', '2026-11-22T12:00Z', false],
    ['notified on Friday evening, it is Monday before the opening', '2026-11-20T18:30Z', '2026-11-23T08:59Z', false],
    ['notified on Friday evening, it is Monday after the closing', '2026-11-20T18:30Z', '2026-11-23T18:00Z', true],
    ['notified yesterday', '2026-11-19T20:00Z', '2026-11-20T20:00Z', true],
    ['notified in the last millisecond before the opening', '2026-11-20T08:59:59.999Z', '2026-11-20T18:00Z', true],
  ])('%s', (_, notifiedAt, now, expected) => {
    expect(isNewClosure(office, 'UTC', notifiedAt === undefined ? undefined : at(notifiedAt), at(now))).toBe(expected)
  })

  it('is new again every week when the agent never answers', () => {
    const notifiedAt = at('2026-11-01T12:00Z')
    expect(isNewClosure(open(never), 'UTC', notifiedAt, notifiedAt + 7 * 24 * HOUR)).toBe(false)
    expect(isNewClosure(open(never), 'UTC', notifiedAt, notifiedAt + 7 * 24 * HOUR + 1)).toBe(true)
  })
})
