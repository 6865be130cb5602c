// Changes of the state of conversations by operators: what each of them means for the agent and for customers who wait. Many conversations
// take as many statements as one.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationStatus } from '#shared/messaging/conversations.ts'
import { pause } from '../conversations/conversation-state.store.ts'
import * as rules from '../conversations/conversations.rules.ts'
import { planQuestions } from '../conversations/ratings.store.ts'
import { setStatus } from '../handoff/conversation-status.ts'
import { withholdAgentParts } from '../outbox/outbox.store.ts'
import { requestTurns } from '../turns/turn-requests.store.ts'
import { listWithOpenQuestions } from './conversations.store.ts'

/** The present state of a conversation; the caller holds its row. */
export type HeldConversation = { id: Id<'conversations'>; status: ConversationStatus }

/** Silences the agent, at once or for a time; also a reply that is being written. @throws AppError conversation_not_pausable, before anything is changed */
export async function pauseByHand(
  ctx: OrgStoreContext,
  conversations: HeldConversation[],
  { by, resumeAfterMs }: { by: Id<'users'>; resumeAfterMs: number | undefined },
): Promise<void> {
  for (const { status } of conversations) rules.assertCanPause(status)
  await pause(
    ctx,
    conversations.map(({ id }) => ({ id, reason: 'operator', by, resumeAfterMs })),
  )
  await withholdAgentParts(ctx, idsOf(conversations))
}

/** Resumes the agent; a customer who waits for an answer gets one. Safe to repeat. */
export async function resumeByHand(ctx: OrgStoreContext, conversations: HeldConversation[]): Promise<void> {
  await setStatus(ctx, idsOf(conversations), 'active')
  const waiting = new Set(await listWithOpenQuestions(ctx, idsOf(conversations)))
  const owed = conversations.filter(({ id, status }) => rules.owesAnswer({ status, isWaiting: waiting.has(id) }))
  await requestTurns(ctx, idsOf(owed))
}

/** Ends conversations; the next message of the customer makes them active again. Customers who were helped may soon be asked for a rating. */
export async function endByHand(ctx: OrgStoreContext, conversations: HeldConversation[]): Promise<void> {
  await planQuestions(ctx, idsOf(conversations))
  await withholdAgentParts(ctx, idsOf(conversations))
  await setStatus(ctx, idsOf(conversations), 'ended')
}

function idsOf(conversations: HeldConversation[]): Id<'conversations'>[] {
  return conversations.map(({ id }) => id)
}
