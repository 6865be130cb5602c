// What the inbox shows, kept in the URL: filters, order and the open conversation.
import {
  createParser,
  createSerializer,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from 'nuqs'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { CHANNEL_NAMES } from '#shared/channels/manifests.ts'
import { type Id, isAgentId, isUserId } from '#shared/ids.ts'
import { CONVERSATION_SORTS, type ConversationFilter } from '#shared/messaging/conversations.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { paths } from '#web/lib/paths.ts'
import { askedAddress } from '#web/lib/sign-in/asked-address.ts'
import { factsOf, factsParsers, NO_FACTS } from './facts-query.ts'

export const STATES = ['needs-person', 'active', 'paused', 'ended'] as const
/** Besides the inbox; `kept`: the inbox and the archive. */
export const FOLDERS = ['archived', 'deleted', 'kept'] as const

/** A day of the calendar, `YYYY-MM-DD`. */
const parseAsDay = createParser({
  parse: (text) => (startOfDay(text) === null ? null : text),
  serialize: (day: string) => day,
})

/** What a view stores: filters, order and search words. */
export const viewParsers = {
  status: parseAsStringLiteral(STATES),
  folder: parseAsStringLiteral(FOLDERS),
  agent: parseAsString,
  channel: parseAsStringLiteral(CHANNEL_NAMES),
  tag: parseAsString,
  assignee: parseAsString,
  from: parseAsDay,
  to: parseAsDay,
  unread: parseAsBoolean,
  problem: parseAsBoolean,
  sort: parseAsStringLiteral(CONVERSATION_SORTS),
  q: parseAsString,
  ...factsParsers,
}
const parsers = {
  ...viewParsers,
  conversation: parseAsString,
}

/**
 * Unknown values are ignored. `agent` is a slug; `assignee` the id of a member, `me` or `nobody`; `from` and `to` days, both included;
 * `q` search words; `conversation` an id.
 */
export function useInboxFilters() {
  return useQueryStates(parsers)
}

/** The conversation in the address, which may not be rendered yet; null when there is none. */
export function askedConversation(): string | null {
  const address = askedAddress()
  return address && new URLSearchParams(address.search).get('conversation')
}

export type InboxQuery = ReturnType<typeof useInboxFilters>[0]
export type FilterKey = Exclude<keyof InboxQuery, 'sort' | 'q' | 'conversation'>

/** Every filter, unset. */
export const NO_FILTERS = {
  status: null,
  folder: null,
  agent: null,
  channel: null,
  tag: null,
  assignee: null,
  from: null,
  to: null,
  unread: null,
  problem: null,
  ...NO_FACTS,
} satisfies Record<FilterKey, null>
export const FILTER_KEYS = Object.keys(NO_FILTERS) as FilterKey[]

/** Whether any filter is set. */
export function isFiltered(query: InboxQuery): boolean {
  return FILTER_KEYS.some((key) => query[key] !== null && query[key] !== false && query[key] !== '')
}

/** Serializes an address; `message`: the message at which the open conversation opens. */
export const withQuery = createSerializer({ ...parsers, message: parseAsString })

/**
 * The address of a conversation, in the split view or on its own page, keeping the current filters: the router's own location lags behind
 * them.
 */
export function useConversationPath(isSplitView: boolean): (conversationId: string, messageId?: string) => string {
  const [filters] = useInboxFilters()
  return (conversation, message) =>
    isSplitView
      ? withQuery(paths.chats, { ...filters, conversation, message: message ?? null })
      : withQuery(paths.conversation(conversation), { ...filters, conversation: null, message: message ?? null })
}

/** What the names in the URL are resolved against. */
export type Known = { agents: AgentSummary[]; members: Member[]; me: Member['_id'] }

/** Arguments of the list query. Filters with unknown names are left out. */
export function filterOf(query: InboxQuery, { agents, members, me }: Known): ConversationFilter {
  const { status, folder, channel, tag, sort } = query
  const agentId = agents.find((agent) => agent.slug === query.agent)?._id ?? goneAgent(query.agent)
  const assigneeId = assigneeOf(query.assignee, members, me)
  const facts = factsOf(query)
  const since = query.from ? startOfDay(query.from) : null
  const until = query.to ? startOfDay(query.to, 1) : null
  return {
    ...(status && (status === 'needs-person' ? { needsPerson: true } : { status })),
    ...(folder && { folder }),
    ...(agentId && { agentId }),
    ...(channel && { channel }),
    ...(tag && { tag }),
    ...(assigneeId !== undefined && { assigneeId }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
    ...(query.unread && { isUnread: true }),
    ...(query.problem && { hasProblem: true }),
    ...(facts && { facts }),
    ...(sort && { sort }),
  }
}

/** An agent that there is no more goes by its id. */
export function goneAgent(agent: string | null): Id<'agents'> | undefined {
  return agent !== null && isAgentId(agent) ? agent : undefined
}

/** Null: to no one. Also a person who has left can be named. */
function assigneeOf(assignee: string | null, members: Member[], me: Member['_id']): Member['_id'] | null | undefined {
  if (assignee === null || assignee === 'nobody') return assignee === null ? undefined : null
  if (assignee === 'me') return members.find(({ _id }) => _id === me)?._id
  return members.find(({ _id }) => _id === assignee)?._id ?? (isUserId(assignee) ? assignee : undefined)
}

/** Midnight of the reader at the start of a day, or `later` days after it, in milliseconds; null for an invalid day. */
export function startOfDay(day: string, later = 0): number | null {
  const [year = 0, month = 0, date = 0] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.slice(1).map(Number) ?? []
  const start = new Date(year, month - 1, date + later)
  const isDay = new Date(Date.UTC(year, month - 1, date)).toISOString().startsWith(day)
  return year > 0 && isDay ? start.getTime() : null
}
