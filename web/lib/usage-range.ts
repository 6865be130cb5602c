// Days of a usage overview, by the organization's clock.
import type { TimeRange } from '#shared/schema.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Longer than any day, clock changes included. */
const LONGEST_DAY_MS = 26 * HOUR_MS

/** The last `days` days in a time zone, today included, from midnight there to the coming midnight there. */
export function usageRange(now: number, days: number, timeZone: string): TimeRange {
  const end = comingMidnight(now, timeZone)
  return { start: comingMidnight(end - days * DAY_MS - DAY_MS / 2, timeZone), end }
}

/** The day that a calendar there shows, `YYYY-MM-DD`. */
export function dayIn(at: number, timeZone: string): string {
  return calendarOf(timeZone).format(at)
}

/** The first moment after `now` at which the calendar there shows another day. */
export function comingMidnight(now: number, timeZone: string): number {
  const calendar = calendarOf(timeZone)
  const today = calendar.format(now)
  let before = now
  let after = now + LONGEST_DAY_MS
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (calendar.format(middle) === today) before = middle
    else after = middle
  }
  return after
}

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
}
