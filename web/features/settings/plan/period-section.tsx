// Usage of the last 7, 30 or 90 days: four numbers, the days, the channels and the kinds of messages.
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatCalendarDay, formatMonth } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUsageOverview } from '#web/lib/use-usage-overview.ts'
import { CategoryBreakdown, ChannelBreakdown } from './breakdowns.tsx'
import { DailyMessages } from './daily-messages.tsx'
import { isCalendarMonth } from './usage.rules.ts'
import { UsageTiles } from './usage-tiles.tsx'
import { PERIODS, type Period, usePlanView } from './use-plan-view.ts'

/** The days stand in the address; those of the month of the allowance are distinguished in words. */
export function PeriodSection() {
  const { t } = useTranslation('plan')
  const [{ period }] = usePlanView()
  const overview = useUsageOverview(PERIODS[period])
  return (
    <CardSection
      title={t(($) => $.period.title)}
      description={overview ? <PeriodDays overview={overview} /> : t(($) => $.period.last[period])}
      actions={<PeriodButtons />}
    >
      {overview ? (
        <div className="flex flex-col gap-8">
          <UsageTiles overview={overview} />
          <DailyMessages timeline={overview.timeline} />
          <div className="grid gap-8 sm:grid-cols-2">
            <ChannelBreakdown overview={overview} />
            <CategoryBreakdown categories={overview.categories} />
          </div>
        </div>
      ) : (
        <Delayed>
          <Skeleton className="h-96" />
        </Delayed>
      )}
    </CardSection>
  )
}

function PeriodDays({ overview }: { overview: UsageOverview }) {
  const { t } = useTranslation('plan')
  const first = overview.timeline[0]?.key
  const last = overview.timeline.at(-1)?.key
  if (first === undefined || last === undefined) return null
  return (
    <>
      {t(($) => $.period.days, { from: formatCalendarDay(first), to: formatCalendarDay(last) })}{' '}
      {!isCalendarMonth(overview) && t(($) => $.period.notMonth, { month: formatMonth(overview.period.key) })}
    </>
  )
}

function PeriodButtons() {
  const { t } = useTranslation('plan')
  const [{ period }, setView] = usePlanView()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame; these buttons are no form
    <div role="group" aria-label={t(($) => $.period.label)} className="flex gap-1">
      {(Object.keys(PERIODS) as Period[]).map((each) => (
        <Button
          key={each}
          size="sm"
          variant={each === period ? 'secondary' : 'ghost'}
          aria-pressed={each === period}
          onClick={() => void setView({ period: each })}
        >
          {t(($) => $.period.button[each])}
        </Button>
      ))}
    </div>
  )
}
