// What the inbox shows, kept in the URL: filters and the open conversation.
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { Id } from '#shared/ids.ts'

export const STATUSES = ['active', 'paused', 'ended'] as const

const parsers = {
  status: parseAsStringLiteral(STATUSES),
  agent: parseAsString,
  conversation: parseAsString,
}

/** Unknown values are ignored. `agent` is a slug; `conversation` an id. */
export function useInboxFilters() {
  return useQueryStates(parsers)
}

/** Arguments of the list query. */
export type InboxFilter = { status?: (typeof STATUSES)[number]; agentId?: Id<'agents'> }
