// What stands above the list: state, order, the other filters in a window, a chip for each that is set, and the views
// that are kept.
import { FilterX, ListFilter } from 'lucide-react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { CONVERSATION_SORTS, type ConversationFilter } from '#shared/messaging/conversations.ts'
import type { InboxView } from '#shared/messaging/views.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/components/ui/popover.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { shortcutKeys, useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ExportButton } from '../exports/export-button.tsx'
import { SearchField } from '../list/search-field.tsx'
import { FilterChips } from './filter-chips.tsx'
import { ANY, FilterFields } from './filter-fields.tsx'
import { InboxViews } from './inbox-views.tsx'
import { isFiltered, NO_FILTERS, STATES, useInboxFilters } from './use-inbox-filters.ts'

type InboxFiltersProps = {
  agents: AgentSummary[]
  members: Member[]
  tags: string[]
  views: InboxView[]
  /** What they come to; null until the names in them are known. */
  filter: ConversationFilter | null
}

/** As high as there is room, on a phone above the bar at the bottom; the rest is scrolled to. */
const FIELDS =
  'max-h-(--radix-popover-content-available-height) w-80 overflow-y-auto max-sm:max-h-[calc(var(--radix-popover-content-available-height)-4.5rem)]'

/** F then C clears them. */
export function InboxFilters({ views, filter, ...props }: InboxFiltersProps) {
  const { t } = useTranslation('conversations')
  const [query, setQuery] = useInboxFilters()
  const hasFilters = isFiltered(query)
  const clear = () => void setQuery(NO_FILTERS)
  useShortcut('clearFilters', clear, { isEnabled: hasFilters })
  return (
    <fieldset
      aria-label={t(($) => $.list.filters)}
      className="flex min-w-0 flex-col gap-2 border-border border-b px-4 py-2.5"
    >
      <div className="flex min-w-0 items-center gap-2">
        <SearchField />
        {hasFilters && (
          <Tooltip content={t(($) => $.list.clearFilters)} keys={shortcutKeys('clearFilters')}>
            <Button variant="ghost" size="icon" aria-label={t(($) => $.list.clearFilters)} onClick={clear}>
              <FilterX />
            </Button>
          </Tooltip>
        )}
        {filter && <ExportButton exported={{ filter, words: query.q }} />}
      </div>
      <div className="flex min-w-0 items-center gap-2">
        <StateSelect />
        <SortSelect />
        <Popover>
          <Tooltip content={t(($) => $.list.moreFilters)}>
            <PopoverTrigger asChild>
              <Button variant="ghost" size="icon" aria-label={t(($) => $.list.moreFilters)}>
                <ListFilter />
              </Button>
            </PopoverTrigger>
          </Tooltip>
          <PopoverContent align="end" className={FIELDS} aria-label={t(($) => $.list.moreFilters)}>
            <FilterFields {...props} />
          </PopoverContent>
        </Popover>
      </div>
      <FilterChips agents={props.agents} members={props.members} />
      <InboxViews views={views} />
    </fieldset>
  )
}

function StateSelect() {
  const { t } = useTranslation('conversations')
  const [{ status }, setQuery] = useInboxFilters()
  return (
    <Select
      aria-label={t(($) => $.list.status)}
      className="min-w-0 flex-6"
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
  )
}

function SortSelect() {
  const { t } = useTranslation('conversations')
  const [{ sort }, setQuery] = useInboxFilters()
  return (
    <Select
      aria-label={t(($) => $.list.sort)}
      className="min-w-0 flex-5"
      value={sort ?? 'newest'}
      onValueChange={(next) => {
        const known = CONVERSATION_SORTS.find((each) => each === next)
        void setQuery({ sort: known === 'newest' ? null : (known ?? null) })
      }}
      options={CONVERSATION_SORTS.map((each) => ({ value: each, label: t(($) => $.list.sorts[each]) }))}
    />
  )
}
