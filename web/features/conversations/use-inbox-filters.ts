// What the inbox shows, kept in the URL: filters and the open conversation.
import { createSerializer, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { ConversationStatus } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { paths } from '#web/lib/paths.ts'

export const STATES = ['needs-person', 'active', 'paused', 'ended'] as const

const parsers = {
  status: parseAsStringLiteral(STATES),
  agent: parseAsString,
  conversation: parseAsString,
}

/** Unknown values are ignored. `agent` is a slug; `conversation` an id. */
export function useInboxFilters() {
  return useQueryStates(parsers)
}

const withQuery = createSerializer(parsers)

/** The address of a conversation beside the list, with the filters as they stand: the router's own location lags behind them. */
export function useConversationBesidePath(): (conversationId: string) => string {
  const [filters] = useInboxFilters()
  return (conversation) => withQuery(paths.chats, { ...filters, conversation })
}

/** Arguments of the list query. */
export type InboxFilter = { status?: ConversationStatus; needsPerson?: true; agentId?: Id<'agents'> }

/** What a chosen state asks of the list. */
export function stateFilter(state: (typeof STATES)[number] | null): Pick<InboxFilter, 'status' | 'needsPerson'> {
  if (state === null) return {}
  return state === 'needs-person' ? { needsPerson: true } : { status: state }
}
