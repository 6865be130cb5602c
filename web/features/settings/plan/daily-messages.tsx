// Messages of each day, as bars or as a table.
import { BarChart3, ChartNoAxesColumn, Table2 } from 'lucide-react'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { DailyBars } from '#web/components/bars/daily-bars.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { formatCalendarDay, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { usePlanView } from './use-plan-view.ts'

type DailyMessagesProps = Pick<UsageOverview, 'timeline'>

/** Which of the two stands in the address. */
export function DailyMessages({ timeline }: DailyMessagesProps) {
  const { t } = useTranslation('plan')
  const [{ view }, setView] = usePlanView()
  const isTable = view === 'table'
  const isEmpty = timeline.every(({ messages }) => messages === 0)
  return (
    <div className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{t(($) => $.daily.title)}</h3>
        {!isEmpty && (
          <Button size="sm" variant="ghost" onClick={() => void setView({ view: isTable ? 'chart' : 'table' })}>
            {isTable ? <BarChart3 aria-hidden="true" /> : <Table2 aria-hidden="true" />}
            {isTable ? t(($) => $.daily.asChart) : t(($) => $.daily.asTable)}
          </Button>
        )}
      </div>
      {isEmpty && <NoMessages />}
      {!isEmpty && (isTable ? <DailyTable timeline={timeline} /> : <MessageBars timeline={timeline} />)}
    </div>
  )
}

function MessageBars({ timeline }: DailyMessagesProps) {
  const { t } = useTranslation('plan')
  return (
    <DailyBars
      days={timeline.map(({ key, messages }) => ({ key, value: messages }))}
      label={t(($) => $.daily.chart)}
      textOf={({ key, value }) =>
        t(($) => $.daily.bar, { day: formatCalendarDay(key), count: value, value: formatNumber(value) })
      }
      mostText={(most) => t(($) => $.daily.most, { count: most, value: formatNumber(most) })}
    />
  )
}

function NoMessages() {
  const { t } = useTranslation('plan')
  return (
    <div className="flex flex-col items-center rounded-xl border border-border border-dashed px-6 py-10 text-center">
      <ChartNoAxesColumn aria-hidden="true" className="mb-3 size-6 text-muted-foreground" strokeWidth={1.75} />
      <p className="font-medium">{t(($) => $.daily.empty)}</p>
      <p className="mt-1 max-w-md text-muted-foreground">{t(($) => $.daily.emptyHint)}</p>
    </div>
  )
}

/** Newest day first, as people look for it. */
function DailyTable({ timeline }: DailyMessagesProps) {
  const { t } = useTranslation('plan')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable by keyboard
    <section tabIndex={0} aria-label={t(($) => $.daily.title)} className="max-h-80 overflow-y-auto">
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-surface text-[0.8125rem] text-muted-foreground">
          <tr>
            <th scope="col" className="pb-2 text-start font-medium">
              {t(($) => $.daily.day)}
            </th>
            <th scope="col" className="pb-2 text-end font-medium">
              {t(($) => $.daily.messages)}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {timeline.toReversed().map(({ key, messages }) => (
            <tr key={key}>
              <th scope="row" className="py-2 text-start font-normal">
                {formatCalendarDay(key)}
              </th>
              <td className="py-2 text-end tabular-nums">{formatNumber(messages)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
