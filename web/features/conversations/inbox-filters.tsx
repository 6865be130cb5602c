// The filters above the list: state and agent.
import { FilterX } from 'lucide-react'
import type { AgentSummary } from '#shared/agents.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { shortcutKeys, useShortcut } from '#web/lib/shortcuts.ts'
import { STATES, useInboxFilters } from './use-inbox-filters.ts'

/** Stands for "no filter": option values may not be empty. */
const ANY = 'any'

/** F then C clears them. */
export function InboxFilters({ agents }: { agents: AgentSummary[] }) {
  const { t } = useTranslation('conversations')
  const [{ status, agent }, setQuery] = useInboxFilters()
  const isFiltered = status !== null || agent !== null
  const clear = () => void setQuery({ status: null, agent: null })
  useShortcut('clearFilters', clear, { isEnabled: isFiltered })
  return (
    <fieldset
      aria-label={t(($) => $.list.filters)}
      className="flex min-w-0 items-center gap-2 border-border border-b px-4 py-2.5"
    >
      <Select
        aria-label={t(($) => $.list.status)}
        className="min-w-0 flex-1"
        value={status ?? ANY}
        onValueChange={(next) => void setQuery({ status: STATES.find((each) => each === next) ?? null })}
        options={[
          { value: ANY, label: t(($) => $.list.anyStatus) },
          ...STATES.map((each) => ({
            value: each,
            label: each === 'needs-person' ? t(($) => $.list.needsPerson) : t(($) => $.status[each]),
          })),
        ]}
      />
      <Select
        aria-label={t(($) => $.list.agent)}
        className="min-w-0 flex-1"
        value={agent ?? ANY}
        onValueChange={(next) => void setQuery({ agent: next === ANY ? null : next })}
        options={[
          { value: ANY, label: t(($) => $.list.anyAgent) },
          ...agents.map((each) => ({ value: each.slug, label: each.name })),
        ]}
      />
      {isFiltered && (
        <Tooltip content={t(($) => $.list.clearFilters)} keys={shortcutKeys('clearFilters')}>
          <Button variant="ghost" size="icon" aria-label={t(($) => $.list.clearFilters)} onClick={clear}>
            <FilterX />
          </Button>
        </Tooltip>
      )}
    </fieldset>
  )
}
