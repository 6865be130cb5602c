// What is done to a conversation is done to all that are in a thread with it; and a thread is of one person.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { type ConversationState, lockConversation } from './conversations.store.ts'
import { listPersonContacts } from './people.store.ts'
import * as threads from './threads.store.ts'

/** Locks a conversation with those of its thread, in the order in which everybody locks several. @throws AppError not_found */
export async function lockThread(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
): Promise<{ conversation: ConversationState; others: ConversationState[] }> {
  const others: ConversationState[] = []
  let conversation: ConversationState | undefined
  for (const id of await threads.listThreadIds(ctx, conversationId)) {
    const locked = await lockConversation(ctx, id)
    if (id === conversationId) conversation = locked
    else if (locked.place !== 'deleted') others.push(locked)
  }
  return { conversation: conversation ?? (await lockConversation(ctx, conversationId)), others }
}

/** Takes a merge back, and says so in the conversation that was spoken in last. Without effect when it was merged further. */
export async function separateThread(ctx: OrgStoreContext, threadId: Id<'threads'>, by: Id<'users'>): Promise<void> {
  const [first] = (await threads.listThreads(ctx, [threadId])).get(threadId) ?? []
  const ids = await threads.endThread(ctx, threadId)
  if (!first || ids.length === 0) return
  await threads.noteThread(ctx, { conversationId: first._id, by, reason: 'separated', count: ids.length })
}

/** Takes back what was merged of a person with others, who turned out to be somebody else. */
export async function separateFromStrangers(
  ctx: OrgStoreContext,
  customerId: Id<'customers'>,
  by: Id<'users'>,
): Promise<void> {
  const person = (await listPersonContacts(ctx, customerId)).map(({ id }) => id)
  for (;;) {
    const [threadId] = await threads.listSharedWithStrangers(ctx, person)
    if (!threadId) return
    await separateThread(ctx, threadId, by)
  }
}
