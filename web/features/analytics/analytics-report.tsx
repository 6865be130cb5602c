// The numbers and charts of one page of analytics, each loaded by itself.

import type { AnalyticsOverview } from '#shared/analytics/analytics.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useAsked } from './analytics-context.tsx'
import { BreakdownChart } from './breakdown-chart.tsx'
import { HourChart } from './hour-chart.tsx'
import { KeyFigures } from './key-figures.tsx'
import { PeriodNote } from './period-note.tsx'
import { SpendSection } from './spend-section.tsx'
import { MessageChart, OutcomeChart } from './timeline-charts.tsx'

/** In the order in which a person asks: what came, what became of it, when, why, by whom, about what, for how much. */
export function AnalyticsReport() {
  const { t } = useTranslation('analytics')
  const { range, interval, filters } = useAsked()
  const overview: AnalyticsOverview | undefined = useQuery(api.analytics.overview, { range, interval, filters })
  if (!overview) {
    return (
      <Delayed>
        <Skeleton className="h-48" />
        <Skeleton className="mt-6 h-96" />
      </Delayed>
    )
  }
  return (
    <>
      <PeriodNote overview={overview} />
      <KeyFigures overview={overview} />
      <OutcomeChart overview={overview} />
      <MessageChart overview={overview} />
      <HourChart />
      <div className="grid gap-6 lg:grid-cols-2">
        <BreakdownChart by="reason" title={t(($) => $.charts.reason)} />
        <BreakdownChart by="rating" title={t(($) => $.charts.rating)} />
        <BreakdownChart by="agent" title={t(($) => $.charts.agent)} />
        <BreakdownChart by="operator" title={t(($) => $.charts.operator)} />
        <BreakdownChart by="channel" title={t(($) => $.charts.channel)} />
        <BreakdownChart by="tag" title={t(($) => $.charts.tag)} />
      </div>
      <BreakdownChart by="question" title={t(($) => $.charts.question)} hint={t(($) => $.charts.questionHint)} />
      <SpendSection spend={overview.spend} />
    </>
  )
}
