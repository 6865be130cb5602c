// Cost, messages or tokens of each day, as bars or as a table.
import { BarChart3, ChartNoAxesColumn, Table2 } from 'lucide-react'
import type { InstallationOverview } from '#shared/organizations/overview.ts'
import { DailyBars } from '#web/components/bars/daily-bars.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { formatCalendarDay } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { MEASURES, useOverviewView } from './use-overview-view.ts'
import { measured, useSpendWords } from './use-spend-words.ts'

type DaysProps = Pick<InstallationOverview, 'days'>

export function DaysSection({ days }: DaysProps) {
  const { t } = useTranslation('admin')
  const [{ view, of }, setView] = useOverviewView()
  const { numberText } = useSpendWords()
  const isTable = view === 'table'
  const isEmpty = days.every((day) => measured(of, day) === 0)
  const name = t(($) => $.overview.measures[of])
  return (
    <section aria-label={t(($) => $.overview.days.title)} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame; these buttons are no form */}
        <div role="group" aria-label={t(($) => $.overview.days.of)} className="flex flex-wrap gap-1">
          {MEASURES.map((each) => (
            <Button
              key={each}
              isForReading
              size="sm"
              variant={each === of ? 'secondary' : 'ghost'}
              aria-pressed={each === of}
              onClick={() => void setView({ of: each })}
            >
              {t(($) => $.overview.measures[each])}
            </Button>
          ))}
        </div>
        {!isEmpty && (
          <Button
            isForReading
            size="sm"
            variant="ghost"
            onClick={() => void setView({ view: isTable ? 'chart' : 'table' })}
          >
            {isTable ? <BarChart3 aria-hidden="true" /> : <Table2 aria-hidden="true" />}
            {isTable ? t(($) => $.overview.days.asChart) : t(($) => $.overview.days.asTable)}
          </Button>
        )}
      </div>
      {isEmpty && <Nothing />}
      {!isEmpty && isTable && <DaysTable days={days} />}
      {!isEmpty && !isTable && (
        <DailyBars
          days={days.map((day) => ({ key: day.key, value: measured(of, day) }))}
          label={t(($) => $.overview.days.chart, { name })}
          textOf={({ key, value }) =>
            t(($) => $.overview.days.bar, { day: formatCalendarDay(key), value: numberText(of, value), name })
          }
          mostText={(most) => t(($) => $.overview.days.most, { value: numberText(of, most) })}
        />
      )}
    </section>
  )
}

function Nothing() {
  const { t } = useTranslation('admin')
  return (
    <div className="flex flex-col items-center rounded-xl border border-border border-dashed px-6 py-10 text-center">
      <ChartNoAxesColumn aria-hidden="true" className="mb-3 size-6 text-muted-foreground" strokeWidth={1.75} />
      <p className="font-medium">{t(($) => $.overview.days.empty)}</p>
      <p className="mt-1 max-w-md text-muted-foreground">{t(($) => $.overview.days.emptyHint)}</p>
    </div>
  )
}

/** Newest day first, as people look for it. */
function DaysTable({ days }: DaysProps) {
  const { t } = useTranslation('admin')
  const { numberText } = useSpendWords()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable by keyboard
    <section tabIndex={0} aria-label={t(($) => $.overview.days.title)} className="max-h-80 overflow-auto">
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-surface text-[0.8125rem] text-muted-foreground">
          <tr>
            <th scope="col" className="pb-2 text-start font-medium">
              {t(($) => $.overview.days.day)}
            </th>
            {MEASURES.map((each) => (
              <th key={each} scope="col" className="pb-2 ps-3 text-end font-medium">
                {t(($) => $.overview.measures[each])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {days.toReversed().map((day) => (
            <tr key={day.key}>
              <th scope="row" className="py-2 text-start font-normal">
                {formatCalendarDay(day.key)}
              </th>
              {MEASURES.map((each) => (
                <td key={each} className="py-2 ps-3 text-end tabular-nums">
                  {numberText(each, measured(each, day))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
