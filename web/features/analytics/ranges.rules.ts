// Decisions about the days that analytics look back on.
import {
  ANALYTICS_BARS_MAX,
  ANALYTICS_RANGE_MAX_DAYS,
  type AnalyticsInterval,
  type AnalyticsRange,
} from '#shared/analytics/analytics.ts'

const DAY_MS = 86_400_000
/** Bars of an interval in a day, at most. */
const BARS_OF_DAY = { hour: 25, day: 1, week: 1 / 7, month: 1 / 28 }

/** Whether a text names a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(Date.parse(text) || 0).toISOString().slice(0, 10) === text
}

/** How many days a range has; zero or less where it ends before it starts. */
export function dayCount(range: AnalyticsRange): number {
  return 'days' in range ? range.days : Math.round((Date.parse(range.to) - Date.parse(range.from)) / DAY_MS) + 1
}

/** An interval by which so many days are neither a handful of bars nor a hedge of them. */
export function intervalFor(days: number): AnalyticsInterval {
  if (days <= 2) return 'hour'
  if (days <= 45) return 'day'
  return days <= 200 ? 'week' : 'month'
}

/** Why a range cannot be asked for, as the server would refuse it; null: it can. */
export function rangeProblem(
  range: AnalyticsRange,
  interval: AnalyticsInterval,
): 'invalid_range' | 'range_too_long' | 'too_many_bars' | null {
  const days = dayCount(range)
  if (days <= 0) return 'invalid_range'
  if (days > ANALYTICS_RANGE_MAX_DAYS) return 'range_too_long'
  return days * BARS_OF_DAY[interval] > ANALYTICS_BARS_MAX ? 'too_many_bars' : null
}
