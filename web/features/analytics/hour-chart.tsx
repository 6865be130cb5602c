// At which hours of the week customers begin to write.
import type { AnalyticsBreakdown, BreakdownRow } from '#shared/analytics/analytics.ts'
import { api } from '#web/api.ts'
import { formatNumber, weekdayName } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useAsked, useBehind } from './analytics-context.tsx'
import { ChartSection } from './charts/chart-section.tsx'
import { ChartSkeleton } from './charts/chart-skeleton.tsx'
import { type HeatCell, HeatMap } from './charts/heat-map.tsx'
import { NumbersTable } from './charts/numbers-table.tsx'

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6]
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** By the organization's clock. */
export function HourChart() {
  const { t } = useTranslation('analytics')
  const { range, filters } = useAsked()
  const { ofRow } = useBehind()
  const breakdown: AnalyticsBreakdown | undefined = useQuery(api.analytics.breakdown, { by: 'hour', range, filters })
  const title = t(($) => $.charts.hour)
  if (!breakdown) return <ChartSkeleton />
  const known = new Map(breakdown.rows.map((row) => [row.key, row]))
  const cells = WEEKDAYS.flatMap((weekday) =>
    HOURS.map((hour) => cellOf(weekday, hour, known.get(`${weekday}-${hour}`))),
  )
  return (
    <ChartSection
      id="hour"
      file="hour"
      title={title}
      hint={t(($) => $.charts.hourHint)}
      isEmpty={breakdown.rows.length === 0}
      chart={<HeatMap label={t(($) => $.chart.keys, { title })} cells={cells} />}
      table={
        <NumbersTable
          caption={title}
          head={t(($) => $.chart.time)}
          rows={HOURS}
          rowKey={String}
          rowName={hourName}
          columns={WEEKDAYS.map((weekday) => ({
            key: String(weekday),
            label: weekdayName(weekday),
            value: (hour: number) => formatNumber(known.get(`${weekday}-${hour}`)?.conversations ?? 0),
            to: (hour: number) => cells[weekday * HOURS.length + hour]?.to ?? null,
          }))}
        />
      }
    />
  )

  function cellOf(weekday: number, hour: number, row: BreakdownRow | undefined): HeatCell {
    const value = row?.conversations ?? 0
    const words = t(($) => $.charts.hourWords, {
      day: weekdayName(weekday, 'long'),
      hour: hourName(hour),
      count: value,
      value: formatNumber(value),
    })
    const to = row && breakdown ? ofRow('hour', row.key, 'conversations', breakdown.range) : null
    return { weekday, hour, value, words, to }
  }
}

/** `13:00–14:00` */
function hourName(hour: number): string {
  const text = (at: number) => `${String(at % 24).padStart(2, '0')}:00`
  return `${text(hour)}–${text(hour + 1)}`
}
