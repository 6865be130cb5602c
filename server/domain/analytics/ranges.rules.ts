// Ranges of analytics: local days of the organization as moments, and the edges of the bars between them.
import { localDay, startOfDay } from '#server/platform/lib/zoned-time.ts'
import {
  ANALYTICS_BARS_MAX,
  ANALYTICS_RANGE_MAX_DAYS,
  type AnalyticsInterval,
  type AnalyticsRange,
} from '#shared/analytics/analytics.ts'
import { AppError } from '#shared/errors.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Nothing was measured before. */
const FIRST_DAY = Date.UTC(2000, 0, 1)
const LAST_DAY = Date.UTC(2200, 0, 1)

/** Days by their number since 1970, the last included; and as moments, `end` not included. */
export type Days = { first: number; last: number; start: number; end: number; timeZone: string }

/** The days of a range. @throws AppError invalid_range, range_too_long */
export function daysOf(range: AnalyticsRange, timeZone: string, now: number): Days {
  const today = localDay(now, timeZone)
  const [first, last] = 'days' in range ? [today - range.days + 1, today] : [dayOf(range.from), dayOf(range.to)]
  if (last < first) throw new AppError('invalid_range')
  if (last - first >= ANALYTICS_RANGE_MAX_DAYS) throw new AppError('range_too_long', { days: ANALYTICS_RANGE_MAX_DAYS })
  return between(first, last, timeZone)
}

/** As many days before. */
export function daysBefore({ first, last, timeZone }: Days): Days {
  return between(first - (last - first) - 1, first - 1, timeZone)
}

/** `YYYY-MM-DD` of the first and the last day, and the moments. */
export function periodOf({ first, last, start, end }: Days) {
  return { start, end, from: nameOf(first), to: nameOf(last) }
}

/**
 * Where bars begin, oldest first, and where the last one ends: whole hours, days, weeks from Monday or months of the calendar, the outer ones
 * cut to the range.
 * @throws AppError too_many_bars
 */
export function edgesOf(days: Days, interval: AnalyticsInterval): number[] {
  const count = days.last - days.first + 1
  if (interval === 'hour' && count * 23 > ANALYTICS_BARS_MAX) throw new AppError('too_many_bars')
  const starts =
    interval === 'hour' ? hoursOf(days) : firstsOf(days, interval).map((day) => startOfDay(day, days.timeZone))
  if (starts.length > ANALYTICS_BARS_MAX) throw new AppError('too_many_bars')
  return [...starts, days.end]
}

/** The local days on which bars of at least a day begin, `YYYY-MM-DD`: those of `edgesOf`. */
export function firstDaysOf(days: Days, interval: 'day' | 'week' | 'month'): string[] {
  return firstsOf(days, interval).map(nameOf)
}

function between(first: number, last: number, timeZone: string): Days {
  return { first, last, start: startOfDay(first, timeZone), end: startOfDay(last + 1, timeZone), timeZone }
}

/** A day that is changed to or from daylight saving has an hour less or more. */
function hoursOf({ first, last, timeZone }: Days): number[] {
  const hours: number[] = []
  for (let day = first, start = startOfDay(first, timeZone); day <= last; day++) {
    const end = startOfDay(day + 1, timeZone)
    for (; start < end; start += HOUR_MS) hours.push(start)
    start = end
  }
  return hours
}

function firstsOf({ first, last }: Days, interval: 'day' | 'week' | 'month'): number[] {
  const firsts: number[] = []
  for (let day = first; day <= last; day++) if (day === first || isFirstOf(day, interval)) firsts.push(day)
  return firsts
}

function isFirstOf(day: number, interval: 'day' | 'week' | 'month'): boolean {
  const date = new Date(day * DAY_MS)
  if (interval === 'day') return true
  return interval === 'week' ? date.getUTCDay() === 1 : date.getUTCDate() === 1
}

/** @throws AppError invalid_range for what is no day of the calendar */
function dayOf(name: string): number {
  const at = Date.parse(`${name}T00:00:00Z`)
  if (!(at >= FIRST_DAY && at < LAST_DAY) || nameOf(at / DAY_MS) !== name) throw new AppError('invalid_range')
  return at / DAY_MS
}

function nameOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
