// Handing a conversation over by the model's own judgement, and giving it back to the agent by a customer's words. Hand-offs
// by gates are in replies/refuse.ts, what operators do in messaging/inbox/.
import { isTakenOver } from '#server/domain/messaging/conversations/conversations.rules.ts'
import { findIntent } from '#server/domain/messaging/conversations/phrases.rules.ts'
import { getHandoffSettings } from '#server/domain/messaging/handoff/handoffs.store.ts'
import { requestTurns } from '#server/domain/messaging/turns/turn-requests.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { PauseReason } from '#shared/messaging/conversations.ts'
import { handOff } from '../conversations/writes/silence.store.ts'
import { addSilence } from '../conversations/writes/team-lines.store.ts'
import type { Turn } from '../turns/turn.ts'
import { setStatus } from './conversation-status.ts'
import type { HandoffRequest } from './hand-off-tool.ts'

/** A conversation in which the agent is silent, held by the transaction that stores the customer's words. */
export type SilentConversation = { id: Id<'conversations'>; pauseReason: PauseReason }

/** Lets the agent speak again when the customer calls it back and no person has taken over. @returns whether it does */
export async function resumeByPhrase(ctx: OrgStoreContext, silent: SilentConversation, text: string): Promise<boolean> {
  // An auto-reply may hold such a word, and a person who reads it along decides.
  if (isTakenOver(silent.pauseReason) || silent.pauseReason === 'machine_talk') return false
  const { customer } = await getHandoffSettings(ctx, silent.id)
  if (findIntent(text, customer)?.kind !== 'resume') return false
  await setStatus(ctx, [silent.id], 'active')
  await requestTurns(ctx, [silent.id])
  return true
}

/** Lets a customer who calls a person not wait for the message buffer. @returns whether they do call one */
export async function flushBufferOnPhrase(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  text: string,
): Promise<boolean> {
  const { customer } = await getHandoffSettings(ctx, conversationId)
  if (findIntent(text, customer)?.kind !== 'stop') return false
  await requestTurns(ctx, [conversationId])
  return true
}

/** Hands the conversation over after the answer that was just written in this transaction: all of that is still sent. */
export async function handOffAfterAnswer(ctx: OrgStoreContext, turn: Turn, request: HandoffRequest): Promise<void> {
  const { conversationId, conversation, agent } = turn
  const handoff = { ...request, resumeAfterMs: agent.settings.handoff.autoResumeMs }
  await handOff(ctx, { conversationId, pauseEpoch: conversation.pauseEpoch }, handoff)
  await addSilence(ctx, turn, `handed_off_${request.reason}`)
}
