// Places and tags of conversations: what a move means for the agent and for customers who wait, and the limit of tags.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { CONVERSATION_TAGS_MAX } from '#shared/limits.ts'
import type { ConversationFolder } from '#shared/messaging/conversations.ts'
import * as store from '../conversations/bulk.store.ts'
import { takeBackWithheld } from '../handoff/withheld.store.ts'
import { withholdAgentParts } from '../outbox/outbox.store.ts'
import { bringBack } from './removal.ts'

/** A conversation that has been moved; the caller holds its row. */
export type Move = { conversation: store.Held; from: ConversationFolder; to: ConversationFolder }

/**
 * In a deleted conversation no agent answers, and its unsent messages are withheld; one that is restored is answered where the customer
 * still waits. Call it after the move.
 */
export async function settleMoves(ctx: OrgStoreContext, moves: Move[]): Promise<void> {
  await withhold(
    ctx,
    moves.flatMap(({ conversation, to }) => (to === 'deleted' ? [conversation] : [])),
  )
  await bringBack(
    ctx,
    moves.flatMap(({ conversation, from }) => (from === 'deleted' ? [conversation] : [])),
  )
}

/** Withholds unsent parts of the agent. Their questions are open again, as a customer who writes brings the conversation back; in a paused one, once the pause is over. */
async function withhold(ctx: OrgStoreContext, held: store.Held[]): Promise<void> {
  if (held.length === 0) return
  const sending = await store.listSending(
    ctx,
    held.map(({ id }) => id),
  )
  const active = new Set(held.filter(({ status }) => status === 'active').map(({ id }) => id))
  await withholdAgentParts(ctx, sending)
  await takeBackWithheld(
    ctx,
    sending.filter((id) => active.has(id)),
  )
}

/** Divides these conversations: those that have the tag, and those without it that have no room for another. */
export async function sortByTag(
  ctx: OrgStoreContext,
  ids: store.ConversationId[],
  tag: string,
): Promise<{ tagged: Set<store.ConversationId>; full: Set<store.ConversationId> }> {
  const counts = ids.length > 0 ? [...(await store.countTags(ctx, ids, tag))] : []
  const tagged = counts.filter(([, { isTagged }]) => isTagged)
  const full = counts.filter(([, { isTagged, count }]) => !isTagged && count >= CONVERSATION_TAGS_MAX)
  return { tagged: new Set(tagged.map(([id]) => id)), full: new Set(full.map(([id]) => id)) }
}
