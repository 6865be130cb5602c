// A change of a conversation applies to all that are in a thread with it; and a thread is of one person.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { listPersonContacts } from '../customers/people.store.ts'
import { type ConversationState, lockConversations } from './conversation-state.store.ts'
import * as threads from './threads.store.ts'

/** Locks a conversation with those of its thread, in the order in which all transactions lock several. @throws AppError not_found */
export async function lockThread(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
): Promise<{ conversation: ConversationState; others: ConversationState[] }> {
  const locked = await lockWhole(ctx, await threads.listThreadIds(ctx, conversationId))
  const conversation = locked.find(({ id }) => id === conversationId)
  if (!conversation) throw new AppError('not_found')
  return { conversation, others: locked.filter((each) => each !== conversation && each.folder !== 'deleted') }
}

/** They may have been merged with others while another process held them. Once held, no other process adds to them. */
async function lockWhole(ctx: OrgStoreContext, ids: Id<'conversations'>[]): Promise<ConversationState[]> {
  const locked = await lockConversations(ctx, ids)
  const now = await threads.withThreads(ctx, ids)
  return now.every((id) => ids.includes(id)) ? locked : lockWhole(ctx, now)
}

/** Undoes a merge, and notes it in the conversation with the last message. Without effect when it was merged further. @returns what was in it */
export async function separateThread(
  ctx: OrgStoreContext,
  threadId: Id<'threads'>,
  by: Id<'users'>,
): Promise<Id<'conversations'>[]> {
  const [first] = (await threads.listThreads(ctx, [threadId])).get(threadId) ?? []
  const ids = await threads.endThread(ctx, threadId)
  if (!first || ids.length === 0) return ids
  await threads.noteThreads(ctx, [{ conversationId: first._id, by, reason: 'separated', count: ids.length }])
  return ids
}

/** Undoes merges of a person with others who turned out to be different people, however often they were merged further. */
export async function separateFromStrangers(
  ctx: OrgStoreContext,
  customerId: Id<'customers'>,
  by: Id<'users'>,
): Promise<void> {
  const person = (await listPersonContacts(ctx, customerId)).map(({ id }) => id)
  const shared = await threads.listThreads(ctx, await threads.listSharedWithStrangers(ctx, person))
  const parts = [...shared.values()]
  if (parts.length === 0) return
  await threads.endShared(
    ctx,
    parts.flatMap((each) => each.map(({ _id }) => _id)),
    person,
  )
  const lines = parts.flatMap(([first, ...rest]) =>
    first ? [{ conversationId: first._id, count: rest.length + 1 }] : [],
  )
  await threads.noteThreads(
    ctx,
    lines.map((line) => ({ ...line, by, reason: 'separated' })),
  )
}
