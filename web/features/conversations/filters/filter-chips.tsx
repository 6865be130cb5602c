// A chip for each active filter, which names it and removes it.
import { X } from 'lucide-react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { isUserId } from '#shared/ids.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useFactsWords } from './use-facts-words.ts'
import {
  FILTER_KEYS,
  type FilterKey,
  goneAgent,
  type InboxQuery,
  startOfDay,
  useInboxFilters,
} from './use-inbox-filters.ts'

type FilterChipsProps = { agents: AgentSummary[]; members: Member[] }

/** Renders nothing when no filter is set. */
export function FilterChips(props: FilterChipsProps) {
  const { t } = useTranslation('conversations')
  const [query, setQuery] = useInboxFilters()
  const wordsOf = useFilterWords(props)
  const chips = FILTER_KEYS.flatMap((key) => {
    const words = wordsOf(key, query)
    return words === null ? [] : [{ key, words }]
  })
  if (chips.length === 0) return null
  return (
    <ul aria-label={t(($) => $.list.setFilters)} className="flex min-w-0 flex-wrap gap-1.5">
      {chips.map(({ key, words }) => (
        <li key={key} className="min-w-0">
          <button
            type="button"
            className="inline-flex min-h-6 max-w-full items-center gap-1 rounded-full bg-primary-soft ps-2.5 pe-1.5 font-medium text-primary-soft-foreground text-xs hover:bg-accent hover:text-foreground pointer-coarse:min-h-11"
            aria-label={t(($) => $.list.removeFilter, { filter: words })}
            onClick={() => void setQuery({ [key]: null })}
          >
            <span className="truncate">{words}</span>
            <X aria-hidden="true" className="size-3.5 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** A filter in words; null for an unknown value, which does not filter. */
function useFilterWords({ agents, members }: FilterChipsProps) {
  const { t } = useTranslation('conversations')
  const factsWords = useFactsWords()
  return (key: FilterKey, query: InboxQuery): string | null => {
    const { status, folder, channel, tag, from, to } = query
    switch (key) {
      case 'status':
        return status && (status === 'needs-person' ? t(($) => $.list.needsPerson) : t(($) => $.status[status]))
      case 'folder':
        return folder && t(($) => $.list.folders[folder])
      case 'agent':
        return (
          agents.find(({ slug }) => slug === query.agent)?.name ??
          (goneAgent(query.agent) ? t(($) => $.list.chips.goneAgent) : null)
        )
      case 'channel':
        return channel && channelName(channel, currentLanguage())
      case 'tag':
        return tag && t(($) => $.list.chips.tag, { tag })
      case 'assignee':
        return assigneeWords(query.assignee)
      case 'from':
        return from && t(($) => $.list.chips.from, { day: dayWords(from) })
      case 'to':
        return to && t(($) => $.list.chips.to, { day: dayWords(to) })
      case 'unread':
        return query.unread ? t(($) => $.list.onlyUnread) : null
      case 'problem':
        return query.problem ? t(($) => $.list.onlyProblem) : null
      default:
        return factsWords(key, query)
    }
  }

  function assigneeWords(assignee: string | null): string | null {
    if (assignee === 'me') return t(($) => $.list.chips.mine)
    if (assignee === 'nobody') return t(($) => $.list.nobody)
    const name = members.find(({ _id }) => _id === assignee)?.name
    if (name !== undefined) return t(($) => $.list.chips.assignee, { name })
    return assignee !== null && isUserId(assignee) ? t(($) => $.list.chips.goneColleague) : null
  }
}

function dayWords(day: string): string {
  return formatDateTime(startOfDay(day) ?? 0, 'date')
}
