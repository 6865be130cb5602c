// The list query of the address, once the names in it are resolved.
import { useMemo } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ConversationFilter } from '#shared/messaging/conversations.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { filterOf, useInboxFilters } from './use-inbox-filters.ts'

type ListFilter = {
  filter: ConversationFilter
  /** False while a name in the filter is unresolved: without that filter the list would show too much. */
  isKnown: boolean
  agents: AgentSummary[]
  members: Member[]
}

/** Agents and members are empty while loading. */
export function useListFilter(): ListFilter {
  const [query] = useInboxFilters()
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const members: Member[] | undefined = useQuery(api.organizations.members, {})
  const { _id: me } = useCurrentUser()
  const filter = useMemo(
    () => filterOf(query, { agents: agents ?? [], members: members ?? [], me }),
    [query, agents, members, me],
  )
  const isKnown = (agents !== undefined || !query.agent) && (members !== undefined || !query.assignee)
  return { filter, isKnown, agents: agents ?? [], members: members ?? [] }
}
