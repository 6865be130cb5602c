// Which days are shown, by whose clock, and which they are compared with.
import type { AnalyticsOverview } from '#shared/analytics/analytics.ts'
import { formatCalendarDay } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Also what a printed page needs to be understood. */
export function PeriodNote({ overview: { range, before, timeZone } }: { overview: AnalyticsOverview }) {
  const { t } = useTranslation('analytics')
  const days = (period: { from: string; to: string }) => ({
    from: formatCalendarDay(period.from, 'year'),
    to: formatCalendarDay(period.to, 'year'),
  })
  return (
    <p className="text-muted-foreground">
      {t(($) => $.period.shown, { ...days(range), timeZone })} {t(($) => $.period.before, days(before))}
    </p>
  )
}
