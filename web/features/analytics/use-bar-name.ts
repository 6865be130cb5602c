// What a bar of a timeline is called: an hour, a day, a week or a month of the organization's calendar.
import type { AnalyticsInterval } from '#shared/analytics/analytics.ts'
import { formatCalendarDay, formatDateTime, formatMonth } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { dayIn } from '#web/lib/usage-range.ts'

type Period = { start: number; end: number }

/** @returns the name under a bar (`short`) or in a sentence (`long`) */
export function useBarName(
  interval: AnalyticsInterval,
  timeZone: string,
): (bar: Period, style: 'short' | 'long') => string {
  const { t } = useTranslation('analytics')
  return ({ start, end }, style) => {
    const day = dayIn(start, timeZone)
    if (interval === 'hour') return formatDateTime(start, style === 'short' ? 'time' : 'medium', timeZone)
    if (interval === 'month') return formatMonth(day.slice(0, 7), style)
    if (interval === 'day' || style === 'short') return formatCalendarDay(day, style)
    return t(($) => $.charts.week, { from: formatCalendarDay(day), to: formatCalendarDay(dayIn(end - 1, timeZone)) })
  }
}
