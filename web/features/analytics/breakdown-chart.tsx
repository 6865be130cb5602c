// Conversations counted by one thing: as bars, or as a table with all that is measured of each.
import { Link } from 'react-router'
import type { AnalyticsBreakdown, BreakdownBy, BreakdownRow } from '#shared/analytics/analytics.ts'
import type { Measured } from '#shared/analytics/links.ts'
import { api } from '#web/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useAsked, useBehind } from './analytics-context.tsx'
import { ChartSection } from './charts/chart-section.tsx'
import { ChartSkeleton } from './charts/chart-skeleton.tsx'
import { NumbersTable } from './charts/numbers-table.tsx'
import { useMeasureColumns } from './use-measure-columns.ts'
import { useRowName } from './use-row-name.ts'

/** Bars that are drawn; the table has all. */
const MOST_BARS = 12

type BreakdownChartProps = {
  by: Exclude<BreakdownBy, 'hour'>
  title: string
  hint?: string
}

/** Each bar leads to its conversations, each number of the table to its own. */
export function BreakdownChart({ by, title, hint }: BreakdownChartProps) {
  const { t } = useTranslation('analytics')
  const { range, filters } = useAsked()
  const breakdown: AnalyticsBreakdown | undefined = useQuery(api.analytics.breakdown, { by, range, filters })
  const nameOf = useRowName(by)
  const columns = useMeasureColumns(by, breakdown?.range)
  if (!breakdown) return <ChartSkeleton />
  const { rows, isMore } = breakdown
  const hidden = Math.max(0, rows.length - MOST_BARS)
  return (
    <ChartSection
      id={by}
      file={by}
      title={title}
      hint={hint}
      isEmpty={rows.length === 0}
      chart={
        <>
          <RowBars by={by} rows={rows.slice(0, MOST_BARS)} range={breakdown.range} />
          {hidden > 0 && (
            <p className="mt-3 text-muted-foreground">{t(($) => $.chart.hidden, { value: formatNumber(hidden) })}</p>
          )}
          {isMore && <p className="mt-3 text-muted-foreground">{t(($) => $.chart.more)}</p>}
        </>
      }
      table={
        <NumbersTable
          caption={title}
          head={title}
          rows={rows}
          columns={columns}
          rowKey={({ key }) => key ?? ''}
          rowName={nameOf}
        />
      }
    />
  )
}

type RowBarsProps = { by: BreakdownBy; rows: BreakdownRow[]; range: AnalyticsBreakdown['range'] }

function RowBars({ by, rows, range }: RowBarsProps) {
  const { t } = useTranslation('analytics')
  const nameOf = useRowName(by)
  const { ofRow } = useBehind()
  const what: Exclude<Measured, 'written'> = 'conversations'
  const most = Math.max(1, ...rows.map(({ conversations }) => conversations))
  return (
    <ul className="flex flex-col gap-1">
      {rows.map((row) => (
        <li key={row.key}>
          <Link to={ofRow(by, row.key, what, range)} className="-mx-2 block rounded-md px-2 py-1.5 hover:bg-muted">
            <span className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 break-words">{nameOf(row)}</span>
              <span aria-hidden="true" className="font-medium tabular-nums">
                {formatNumber(row.conversations)}
              </span>{' '}
              <span className="sr-only">
                {t(($) => $.chart.row, { count: row.conversations, value: formatNumber(row.conversations) })}
              </span>
            </span>
            <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded-full bg-accent">
              <span
                className="block h-full rounded-full bg-primary"
                style={{ width: `${(row.conversations / most) * 100}%` }}
              />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
