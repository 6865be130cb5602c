// /settings/plan: what is used of the plan, what it holds, what the others hold, and the request for another one.
import type { PlanOverview } from '#shared/organizations/plans.ts'
import { api } from '#web/api.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { SettingsLayout } from '../settings-layout.tsx'
import { MonthSection } from './month-section.tsx'
import { OfferedPlansSection } from './offered-plans-section.tsx'
import { OwnPlanSection } from './own-plan-section.tsx'
import { PeriodSection } from './period-section.tsx'

/** Live. Open to every member; requests are for those who may write about billing. */
export function PlanPage() {
  const overview: PlanOverview | undefined = useQuery(api.billing.getPlan, {})
  return (
    <SettingsLayout tab="plan">
      <MonthSection />
      <PeriodSection />
      <OwnPlanSection overview={overview} />
      <OfferedPlansSection overview={overview} />
    </SettingsLayout>
  )
}
