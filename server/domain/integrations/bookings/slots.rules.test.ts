// Times that can be booked: the rules one by one, around changes of the clock, and for any availability.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CalendarAvailability, DEFAULT_CALENDAR_SETTINGS, GRID_MINUTES } from '#shared/integrations/calendar.ts'
import { judgeSlot, openSlots, overlaps, type SlotRules, type Span } from './slots.rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A Monday, 5:00 in Almaty. */
const NOW = Date.parse('2026-06-01T00:00:00Z')
const ALMATY = 'Asia/Almaty'
const week = (hours: number[]) => Array.from({ length: 7 }, () => hours)

function rulesOf(change: Partial<CalendarAvailability>, more: Partial<SlotRules> = {}): SlotRules {
  const availability = { ...DEFAULT_CALENDAR_SETTINGS.availability, leadHours: 0, ...change }
  return { availability, timeZone: ALMATY, now: NOW, busy: [], ...more }
}
const spanAt = (text: string, minutes = 60): Span => {
  const from = Date.parse(text)
  return { from, to: from + minutes * 60_000 }
}
const shown = (slots: Span[]) => slots.map(({ from }) => new Date(from).toISOString().slice(0, 16))

describe('a time', () => {
  it.each([
    ['2026-06-01T09:00+05:00', {}, null],
    ['2026-06-01T17:00+05:00', {}, null],
    ['2026-06-01T17:30+05:00', {}, 'outside_hours'],
    ['2026-06-01T08:30+05:00', {}, 'outside_hours'],
    ['2026-06-06T10:00+05:00', {}, 'outside_hours'],
    ['2026-06-01T09:10+05:00', {}, 'off_grid'],
    ['2026-06-01T09:20+05:00', { gridMinutes: 20 }, null],
    ['2026-06-01T09:00:30+05:00', {}, 'off_grid'],
    ['2026-06-01T09:00+05:00', { leadHours: 5 }, 'too_soon'],
    ['2026-06-01T10:00+05:00', { leadHours: 5 }, null],
    ['2026-07-02T09:00+05:00', {}, 'too_late'],
    ['2026-06-02T09:00+05:00', { exceptions: [{ day: '2026-06-02', hours: null }] }, 'outside_hours'],
    ['2026-06-06T20:00+05:00', { exceptions: [{ day: '2026-06-06', hours: { from: 20, to: 21 } }] }, null],
  ] as const)('at %s, with %j, is %s', (at, change, fault) => {
    expect(judgeSlot(spanAt(at), rulesOf(change as Partial<CalendarAvailability>))).toBe(fault)
  })

  it('keeps the buffer on both sides of what is taken', () => {
    const busy = [spanAt('2026-06-01T12:00+05:00')]
    const judge = (at: string, bufferMinutes: number) => judgeSlot(spanAt(at), rulesOf({ bufferMinutes }, { busy }))
    expect(judge('2026-06-01T11:00+05:00', 0)).toBeNull()
    expect(judge('2026-06-01T13:00+05:00', 0)).toBeNull()
    expect(judge('2026-06-01T11:30+05:00', 0)).toBe('taken')
    expect(judge('2026-06-01T11:00+05:00', 15)).toBe('taken')
    expect(judge('2026-06-01T13:00+05:00', 15)).toBe('taken')
    expect(judge('2026-06-01T13:30+05:00', 15)).toBeNull()
  })
})

describe('a change of the clock', () => {
  /** Clocks in Berlin skip 2 to 3 on 29 March 2026, and repeat it on 25 October. */
  const berlin = { timeZone: 'Europe/Berlin' }
  const hours = week([1, 2, 3])

  it('offers no hour that is skipped', () => {
    const rules = rulesOf({ hours }, { ...berlin, now: Date.parse('2026-03-28T12:00Z') })
    const day = { from: Date.parse('2026-03-29T00:00+01:00'), to: Date.parse('2026-03-29T12:00+02:00') }
    expect(shown(openSlots(day, { ...rules, availability: { ...rules.availability, gridMinutes: 60 } }, 20))).toEqual([
      '2026-03-29T00:00',
      '2026-03-29T01:00',
    ])
  })

  it('offers an hour that is repeated twice', () => {
    const rules = rulesOf({ hours, gridMinutes: 60 }, { ...berlin, now: Date.parse('2026-10-24T12:00Z') })
    const day = { from: Date.parse('2026-10-25T00:00+02:00'), to: Date.parse('2026-10-25T12:00+01:00') }
    expect(shown(openSlots(day, rules, 20))).toEqual([
      '2026-10-24T23:00',
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ])
  })

  it('follows zones whose offset is no whole hour', () => {
    const rules = rulesOf({ gridMinutes: 60 }, { timeZone: 'Asia/Kathmandu' })
    expect(shown(openSlots({ from: NOW, to: NOW + DAY }, rules, 1))).toEqual(['2026-06-01T03:15'])
  })
})

const anyAvailability = fc.record({
  hours: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 23 })), { minLength: 7, maxLength: 7 }),
  exceptions: fc.constantFrom(
    [],
    [{ day: '2026-06-02', hours: null }],
    [{ day: '2026-06-03', hours: { from: 6, to: 23 } }],
  ),
  durationMinutes: fc.integer({ min: 5, max: 480 }),
  bufferMinutes: fc.integer({ min: 0, max: 240 }),
  leadHours: fc.integer({ min: 0, max: 72 }),
  horizonDays: fc.integer({ min: 1, max: 10 }),
  gridMinutes: fc.constantFrom(...GRID_MINUTES),
}) satisfies fc.Arbitrary<CalendarAvailability>
const anyBusy = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 10 * 24 * 12 }), fc.integer({ min: 1, max: 60 }))
    .map(([at, length]) => ({ from: NOW + at * 300_000, to: NOW + (at + length) * 300_000 })),
  { maxLength: 20 },
)
const anyZone = fc.constantFrom('Asia/Almaty', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC')

describe('for any availability', () => {
  it('what is offered can be booked, once: after it is taken, nothing that is offered touches it', () => {
    fc.assert(
      fc.property(anyAvailability, anyBusy, anyZone, (availability, busy, timeZone) => {
        const rules: SlotRules = { availability, timeZone, now: NOW, busy }
        const within = { from: NOW, to: NOW + 5 * DAY }
        const slots = openSlots(within, rules, 10)
        for (const slot of slots) {
          expect(judgeSlot(slot, rules)).toBeNull()
          expect(slot.to - slot.from).toBe(availability.durationMinutes * 60_000)
          expect(slot.from).toBeGreaterThanOrEqual(NOW + availability.leadHours * HOUR)
          expect(busy.some((each) => overlaps(slot, each))).toBe(false)
        }
        const [first] = slots
        if (!first) return
        const after = { ...rules, busy: [...busy, first] }
        expect(judgeSlot(first, after)).toBe('taken')
        expect(openSlots(within, after, 10).some((each) => overlaps(each, first))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('no time that can be booked is left out', () => {
    fc.assert(
      fc.property(anyAvailability, anyBusy, anyZone, (availability, busy, timeZone) => {
        const rules: SlotRules = { availability, timeZone, now: NOW, busy }
        const within = { from: NOW, to: NOW + DAY }
        const every = Array.from({ length: 288 }, (_, at) => NOW + at * 300_000)
        const length = availability.durationMinutes * 60_000
        const right = every.filter((from) => judgeSlot({ from, to: from + length }, rules) === null)
        expect(openSlots(within, rules, 1000).map(({ from }) => from)).toEqual(right)
      }),
      { numRuns: 40 },
    )
  })
})
