// When a customer can be booked: working hours with exceptions, the grid, lead time, horizon, and what is taken. Decisions only.
import { localMinute, wallClock } from '#server/platform/lib/zoned-time.ts'
import type { CalendarAvailability } from '#shared/integrations/calendar.ts'

/** From a moment until before another, milliseconds since the epoch. */
export type Span = { from: number; to: number }
/** What a time is held against. `busy`: in any order, overlapping or not. */
export type SlotRules = { availability: CalendarAvailability; timeZone: string; now: number; busy: readonly Span[] }
/** Why a time cannot be booked. */
export type SlotFault = 'too_soon' | 'too_late' | 'off_grid' | 'outside_hours' | 'taken'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Local clocks differ from UTC by multiples of it: within one, hours neither begin nor end. */
const QUARTER_MS = 15 * MINUTE_MS

/** Null: it can be booked. */
export function judgeSlot({ from, to }: Span, { availability, timeZone, now, busy }: SlotRules): SlotFault | null {
  const { leadHours, horizonDays, bufferMinutes, gridMinutes } = availability
  if (from < now + leadHours * HOUR_MS) return 'too_soon'
  if (from > now + horizonDays * DAY_MS) return 'too_late'
  if (from % MINUTE_MS !== 0 || localMinute(from, timeZone) % gridMinutes !== 0) return 'off_grid'
  if (!isWithinHours({ from, to }, availability, timeZone)) return 'outside_hours'
  const buffer = bufferMinutes * MINUTE_MS
  return isTaken({ from: from - buffer, to: to + buffer }, busy) ? 'taken' : null
}

/** The first times that can be booked and begin within a span, earliest first. */
export function openSlots(within: Span, rules: SlotRules, most: number): Span[] {
  const { availability, now } = rules
  const duration = availability.durationMinutes * MINUTE_MS
  const earliest = Math.max(within.from, now + availability.leadHours * HOUR_MS)
  const latest = Math.min(within.to - 1, now + availability.horizonDays * DAY_MS)
  const found: Span[] = []
  for (let quarter = floor(earliest); quarter <= latest && found.length < most; quarter += QUARTER_MS) {
    if (!isOpen(quarter, availability, rules.timeZone)) continue
    for (const from of startsWithin(quarter)) {
      const span = { from, to: from + duration }
      const isWanted = from >= earliest && from <= latest && found.length < most
      if (isWanted && judgeSlot(span, rules) === null) found.push(span)
    }
  }
  return found
}

/** Whether two spans share a moment. */
export function overlaps(one: Span, other: Span): boolean {
  return one.from < other.to && other.from < one.to
}

/** The moments of a quarter of an hour at which a time of any grid may begin. */
function startsWithin(quarter: number): number[] {
  return [0, 5, 10].map((minutes) => quarter + minutes * MINUTE_MS)
}

function isWithinHours({ from, to }: Span, availability: CalendarAvailability, timeZone: string): boolean {
  for (let quarter = floor(from); quarter < to; quarter += QUARTER_MS) {
    if (!isOpen(quarter, availability, timeZone)) return false
  }
  return true
}

/** An exception takes the place of the whole day. */
function isOpen(at: number, { hours, exceptions }: CalendarAvailability, timeZone: string): boolean {
  const { day, weekday, hour } = wallClock(at, timeZone)
  const exception = exceptions.find((each) => each.day === day)
  if (!exception) return hours[weekday]?.includes(hour) ?? false
  return exception.hours !== null && hour >= exception.hours.from && hour < exception.hours.to
}

function isTaken(span: Span, busy: readonly Span[]): boolean {
  return busy.some((each) => overlaps(span, each))
}

function floor(at: number): number {
  return Math.floor(at / QUARTER_MS) * QUARTER_MS
}
