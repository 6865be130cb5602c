// How the plan page reads an overview of usage.
import { expect, it } from 'vitest'
import { isCalendarMonth, otherChannels, outlookOf, renewalDay } from './usage.rules.ts'

const period = { key: '2026-11', messages: 0 }
const totalsWith = (remaining: number | null) => ({
  messages: 0,
  tokens: 0,
  cost: 0,
  unpricedCalls: 0,
  remaining,
  percentage: null,
})
/** Days that end on 20 November. */
const days = (...messages: number[]) =>
  messages.map((count, at) => ({
    key: new Date(Date.UTC(2026, 10, 20 - messages.length + 1 + at)).toISOString().slice(0, 10),
    messages: count,
  }))

it('names what the listed channels leave out', () => {
  const totals = { ...totalsWith(null), messages: 10 }
  expect(otherChannels({ totals, channels: [{ key: 'telegram', messages: 7 }] })).toBe(3)
  expect(otherChannels({ totals, channels: [{ key: 'telegram', messages: 10 }] })).toBe(0)
})

it('knows when the chosen days are the month of the allowance', () => {
  expect(isCalendarMonth({ period, timeline: [{ key: '2026-11-01', messages: 0 }] })).toBe(true)
  expect(isCalendarMonth({ period, timeline: [{ key: '2026-10-31', messages: 0 }] })).toBe(false)
})

it('renews on the first of the next month, over the end of a year too', () => {
  expect([renewalDay('2026-11'), renewalDay('2026-12')]).toEqual(['2026-12-01', '2027-01-01'])
})

it('says on which day the rest ends at the pace of the last seven whole days', () => {
  // 10 a day, 45 left: 4 whole days. Today, half over, does not slow the pace down.
  const timeline = days(900, 10, 10, 10, 10, 10, 10, 10, 1)
  expect(outlookOf({ totals: totalsWith(45), timeline, period })).toEqual({ endsOn: '2026-11-24' })
  expect(outlookOf({ totals: totalsWith(109), timeline, period })).toEqual({ endsOn: '2026-11-30' })
  expect(outlookOf({ totals: totalsWith(110), timeline, period })).toEqual({ endsOn: null })
})

it('counts the days before the first message as no part of the pace', () => {
  const timeline = days(0, 0, 0, 0, 0, 20, 20, 5)
  expect(outlookOf({ totals: totalsWith(40), timeline, period })).toEqual({ endsOn: '2026-11-22' })
})

it('says nothing without an allowance, without messages and when nothing is left', () => {
  const timeline = days(10, 10, 0)
  expect(outlookOf({ totals: totalsWith(null), timeline, period })).toBeNull()
  expect(outlookOf({ totals: totalsWith(0), timeline, period })).toBeNull()
  expect(outlookOf({ totals: totalsWith(5), timeline: days(0, 0, 7), period })).toBeNull()
})
