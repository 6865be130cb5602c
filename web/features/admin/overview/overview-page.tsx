// /admin/overview: what the installation costs and who uses it.
import type { InstallationOverview } from '#shared/organizations/overview.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AdminLayout } from '../admin-layout.tsx'
import { DaysSection } from './days-section.tsx'
import { KeyNumbers } from './key-numbers.tsx'
import { TopModels, TopOrganizations } from './top-lists.tsx'
import { RANGES, useOverviewView } from './use-overview-view.ts'

/** Live. The days stand in the address. */
export function OverviewPage() {
  const { t } = useTranslation('admin')
  const [{ range }] = useOverviewView()
  const overview: InstallationOverview | undefined = useQuery(api.admin.overview.get, { range })
  return (
    <AdminLayout tab="overview">
      <CardSection
        title={t(($) => $.overview.title)}
        description={t(($) => $.overview.description)}
        actions={<RangeButtons />}
      >
        {overview ? (
          <div className="flex flex-col gap-8">
            <KeyNumbers overview={overview} />
            <DaysSection days={overview.days} />
          </div>
        ) : (
          <Delayed>
            <Skeleton className="h-96" />
          </Delayed>
        )}
      </CardSection>
      {overview && <TopOrganizations overview={overview} />}
      {overview && <TopModels overview={overview} />}
    </AdminLayout>
  )
}

function RangeButtons() {
  const { t } = useTranslation('admin')
  const [{ range }, setView] = useOverviewView()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame; these buttons are no form
    <div role="group" aria-label={t(($) => $.overview.range)} className="flex gap-1">
      {RANGES.map((each) => (
        <Button
          key={each}
          isForReading
          size="sm"
          variant={each === range ? 'secondary' : 'ghost'}
          aria-pressed={each === range}
          onClick={() => void setView({ range: each })}
        >
          {t(($) => $.overview.ranges[each])}
        </Button>
      ))}
    </div>
  )
}
