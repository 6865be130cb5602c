// Steps between the states of a conversation, taken by people: what each of them means for the agent and for who waits.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { ConversationStatus } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import * as rules from './conversations.rules.ts'
import * as store from './conversations.store.ts'
import { withholdAgentParts } from './outbox.store.ts'
import { requestTurn } from './turns.store.ts'

/** A conversation as it stands; its row is held by the caller. */
export type HeldConversation = { id: Id<'conversations'>; status: ConversationStatus }

/** Silences the agent, at once or for a time; also a reply that is being written. @throws AppError conversation_not_pausable */
export async function pauseByHand(
  ctx: OrgStoreContext,
  { id, status }: HeldConversation,
  { by, resumeAfterMs }: { by: Id<'users'>; resumeAfterMs: number | undefined },
): Promise<void> {
  rules.assertCanPause(status)
  await store.pause(ctx, id, { reason: 'operator', by, resumeAfterMs })
  await withholdAgentParts(ctx, id)
}

/** Lets the agent speak again; a customer who waits for an answer gets one. Safe to repeat. */
export async function resumeByHand(ctx: OrgStoreContext, { id, status }: HeldConversation): Promise<void> {
  await store.setStatus(ctx, id, 'active')
  const isWaiting = await store.hasOpenQuestion(ctx, id)
  if (rules.owesAnswer({ status, isWaiting })) await requestTurn(ctx, id)
}

/** Ends a conversation; the next message of the customer makes it active again. */
export async function endByHand(ctx: OrgStoreContext, { id }: HeldConversation): Promise<void> {
  await withholdAgentParts(ctx, id)
  await store.setStatus(ctx, id, 'ended')
}
