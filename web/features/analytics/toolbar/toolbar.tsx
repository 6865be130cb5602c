// What the page is asked with: days, interval and filters, each in the address.
import type { AgentSummary } from '#shared/agents/agents.ts'
import { ANALYTICS_INTERVALS } from '#shared/analytics/analytics.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { intervalOf, NO_FILTERS, useAnalyticsView } from '../use-analytics-view.ts'
import { FilterFields } from './filter-fields.tsx'
import { RangeButtons } from './range-buttons.tsx'

type ToolbarProps = { agents: AgentSummary[]; members: Member[] }

/** F then C clears the filters. A printed page names them instead. */
export function Toolbar({ agents, members }: ToolbarProps) {
  const { t } = useTranslation('analytics')
  const [view, setView] = useAnalyticsView()
  const hasFilters = [view.agent, view.channel, view.assignee, view.tag].some((value) => value !== null)
  const clear = () => void setView(NO_FILTERS)
  useShortcut('clearFilters', clear, { isEnabled: hasFilters })
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
        <RangeButtons />
        <Select
          aria-label={t(($) => $.toolbar.interval)}
          className="w-40"
          value={intervalOf(view)}
          onValueChange={(next) =>
            void setView({ interval: ANALYTICS_INTERVALS.find((each) => each === next) ?? null })
          }
          options={ANALYTICS_INTERVALS.map((each) => ({ value: each, label: t(($) => $.toolbar.intervals[each]) }))}
        />
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <FilterFields agents={agents} members={members} />
        {hasFilters && (
          <Button variant="ghost" isForReading onClick={clear} className="print:hidden">
            {t(($) => $.toolbar.clear)}
          </Button>
        )}
      </div>
    </div>
  )
}
