// The address at which the inbox shows what a filter selects; the inbox reads it back (web/features/conversations/filters).
import type { Id } from '#shared/ids.ts'
import type { ConversationFilter } from '#shared/messaging/conversations.ts'
import { paths } from './paths.ts'

type Selected = Pick<ConversationFilter, 'folder' | 'agentId' | 'channel' | 'assigneeId' | 'tag' | 'facts'>

/** @param agents by whose slugs agents are named; one that is gone is named by its id */
export function inboxAddress(filter: Selected, agents: readonly { _id: Id<'agents'>; slug: string }[]): string {
  const { folder = 'inbox', agentId, channel, assigneeId, tag, facts = {} } = filter
  const query = {
    ...(folder !== 'inbox' && { folder }),
    ...(agentId && { agent: agents.find(({ _id }) => _id === agentId)?.slug ?? agentId }),
    ...(channel && { channel }),
    ...(assigneeId !== undefined && { assignee: assigneeId ?? 'nobody' }),
    ...(tag !== undefined && { tag }),
    ...facts,
  }
  const words = Object.entries(query).map(([name, value]) => [name, String(value)])
  return words.length === 0 ? paths.chats : `${paths.chats}?${new URLSearchParams(words)}`
}
