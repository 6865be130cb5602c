// Where conversations lie and how they are tagged: what putting them there means for the agent and for who waits, and for how many tags
// there is room.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { CONVERSATION_TAGS_MAX } from '#shared/limits.ts'
import type { ConversationPlace } from '#shared/messaging/conversations.ts'
import { bringBack } from '../compliance/removal.ts'
import { withholdAgentParts } from '../delivery/outbox.store.ts'
import * as store from './bulk.store.ts'
import { takeBackWithheld } from './withheld.store.ts'

/** A conversation that has been put elsewhere; its row is held by the caller. */
export type Move = { conversation: store.Held; from: ConversationPlace; to: ConversationPlace }

/**
 * In a deleted conversation no agent answers and what it was about to send is withheld; one that is put back is answered where the customer
 * still waits. Call it when they lie there.
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

/** A customer who writes again brings the conversation back: what nobody has heard is open again from now on. A pause keeps it until it is over. */
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

/** Those of these conversations without the tag for which there is no room in them, and those that have it. */
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
