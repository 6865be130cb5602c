// What is done to a conversation is done to all that are in a thread with it.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { type ConversationState, lockConversation } from './conversations.store.ts'
import { listThreadIds } from './threads.store.ts'

/** Locks a conversation with those of its thread, in the order in which everybody locks several. @throws AppError not_found */
export async function lockThread(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
): Promise<{ conversation: ConversationState; others: ConversationState[] }> {
  const others: ConversationState[] = []
  let conversation: ConversationState | undefined
  for (const id of await listThreadIds(ctx, conversationId)) {
    const locked = await lockConversation(ctx, id)
    if (id === conversationId) conversation = locked
    else if (locked.place !== 'deleted') others.push(locked)
  }
  return { conversation: conversation ?? (await lockConversation(ctx, conversationId)), others }
}
