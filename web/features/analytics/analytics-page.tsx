// /analytics: what agents achieve and what it costs. Every number leads to the conversations behind it.
import { Printer } from 'lucide-react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { ANALYTICS_RANGE_MAX_DAYS } from '#shared/analytics/analytics.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AnalyticsContext } from './analytics-context.tsx'
import { AnalyticsReport } from './analytics-report.tsx'
import { Definitions } from './definitions.tsx'
import { rangeProblem } from './ranges.rules.ts'
import { Toolbar } from './toolbar/toolbar.tsx'
import { filtersOf, intervalOf, rangeOf, useAnalyticsView } from './use-analytics-view.ts'
import { useLightPrint } from './use-light-print.ts'

/** Live. Days, interval, filters and tables stand in the address. */
export function AnalyticsPage() {
  useLightPrint()
  const { t } = useTranslation('analytics')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const members: Member[] | undefined = useQuery(api.organizations.members, {})
  return (
    <Page
      title={t(($) => $.title)}
      description={t(($) => $.description)}
      actions={
        <Button isForReading onClick={() => window.print()} className="print:hidden">
          <Printer aria-hidden="true" />
          {t(($) => $.print)}
        </Button>
      }
    >
      <Toolbar agents={agents ?? []} members={members ?? []} />
      {agents && members ? <Asked agents={agents} /> : <Loading />}
      <Definitions />
    </Page>
  )
}

/** Says why a range cannot be asked for, instead of asking for it. */
function Asked({ agents }: { agents: AgentSummary[] }) {
  const { t: tError } = useTranslation('errors')
  const [view] = useAnalyticsView()
  const range = rangeOf(view)
  const interval = intervalOf(view)
  const filters = filtersOf(view, agents)
  const problem = rangeProblem(range, interval)
  if (problem) return <Alert tone="destructive">{tError(($) => $[problem], { days: ANALYTICS_RANGE_MAX_DAYS })}</Alert>
  return (
    <AnalyticsContext value={{ range, interval, filters, agents }}>
      <AnalyticsReport />
    </AnalyticsContext>
  )
}

function Loading() {
  return (
    <Delayed>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className="h-28" />
        ))}
      </div>
      <Skeleton className="mt-6 h-80" />
    </Delayed>
  )
}
