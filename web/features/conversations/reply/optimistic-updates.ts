// Optimistic updates of conversations, in every query that holds them. The client reverts them when the server refuses.
import type { OptimisticLocalStore } from 'convex/browser'
import type { Id } from '#shared/ids.ts'
import type {
  Conversation,
  ConversationFilter,
  ConversationFolder,
  ConversationStatus,
} from '#shared/messaging/conversations.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'

type Named = { conversationIds: readonly Id<'conversations'>[] }
type Change = (conversation: Conversation) => Conversation

/** Changes the open conversation, those merged with it, and their rows; a row leaves a list whose filter it no longer matches. */
export function showChange(store: OptimisticLocalStore, named: Named, change: Change): void {
  const changed = (conversation: Conversation) => (isMeant(conversation, named) ? change(conversation) : conversation)
  const rows = (all: Conversation[], filter: Partial<ConversationFilter>) =>
    all.map(changed).filter((row, index) => row === all[index] || passes(row, filter))
  const { get, list, found } = api.conversations
  for (const { args, value } of store.getAllQueries(get)) {
    if (value && isMeant(value, named)) store.setQuery(get, args, { ...value, ...change(value) })
  }
  for (const { args, value } of store.getAllQueries(list)) {
    if (value) store.setQuery(list, args, { ...value, page: rows(value.page, args) })
  }
  for (const { args, value } of store.getAllQueries(found)) {
    if (value) store.setQuery(found, args, rows(value, args))
  }
}

/** `resumeAfterMs`: duration of a pause. */
export function withStatus(status: ConversationStatus, resumeAfterMs?: number): Change {
  const isPaused = status === 'paused'
  const resumeAt = isPaused && resumeAfterMs !== undefined ? Date.now() + resumeAfterMs : null
  return (conversation) => ({
    ...conversation,
    status,
    resumeAt,
    pauseReason: isPaused ? 'operator' : null,
    needsPerson: false,
    calledFor: null,
    thread: conversation.thread && {
      ...conversation.thread,
      parts: conversation.thread.parts.map((part) => (part.status === 'ended' ? part : { ...part, status })),
    },
  })
}

export function withFolder(folder: ConversationFolder): Change {
  const movedAt = Date.now()
  return (conversation) => ({ ...conversation, folder, movedAt })
}

/** Null unassigns. A user whose name is not loaded here appears when the server has answered. */
export function withAssignee(store: OptimisticLocalStore, assigneeId: Id<'users'> | null): Change {
  const members: Member[] = store.getQuery(api.organizations.members, {}) ?? []
  const member = members.find(({ _id }) => _id === assigneeId)
  if (assigneeId !== null && !member) return (conversation) => conversation
  const assignee = member ?? null
  return (conversation) => ({ ...conversation, assignee, queuedAt: assignee ? null : conversation.queuedAt })
}

export function withTag(tag: string, isOn: boolean): Change {
  return (conversation) => {
    const others = conversation.tags.filter((each) => each !== tag)
    return { ...conversation, tags: isOn ? [...others, tag].sort((a, b) => a.localeCompare(b)) : others }
  }
}

function isMeant({ _id, thread }: Conversation, { conversationIds }: Named): boolean {
  return conversationIds.includes(_id) || (thread?.parts.some((part) => conversationIds.includes(part._id)) ?? false)
}

/** Whether a row still matches the filter of a list, by the fields that can be changed here. */
function passes(
  row: Conversation,
  { folder = 'inbox', status, assigneeId, tag, needsPerson }: Partial<ConversationFilter>,
) {
  return (
    row.folder === folder &&
    (status === undefined || row.status === status) &&
    (assigneeId === undefined || (row.assignee?._id ?? null) === assigneeId) &&
    (tag === undefined || row.tags.includes(tag)) &&
    (needsPerson === undefined || row.needsPerson)
  )
}
