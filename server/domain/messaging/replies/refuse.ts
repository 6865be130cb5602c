// Finishes a turn that is not answered: the reason for the team, the notice for the customer, and the handoff.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { requeueUnanswered } from '#server/domain/channels/health/owed-answers.store.ts'
import { lockConversation } from '#server/domain/messaging/conversations/lock-conversation.store.ts'
import { type Decided, holdSpeaking } from '#server/domain/messaging/handoff/handoffs.store.ts'
import { withholdAgentParts } from '#server/domain/messaging/outbox/outbox.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { textLimitOf } from '#server/platform/lib/text/split-text.ts'
import { addFailedMessage } from '../conversations/writes/answers.store.ts'
import { postponeFollowUp } from '../conversations/writes/follow-ups.store.ts'
import { rememberNotice, settleQuestions } from '../conversations/writes/progress.store.ts'
import { handOff } from '../conversations/writes/silence.store.ts'
import { addSilence } from '../conversations/writes/team-lines.store.ts'
import { splitReply } from '../outbox/split.ts'
import { endTurn } from '../turns/finish.store.ts'
import type { Refusal, RefusalReason, TurnOutcome } from '../turns/outcome.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { writeTrace } from '../turns/trace.store.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import type { Turn } from '../turns/turn.ts'
import { addNotice } from './refuse.store.ts'

/** Reasons that the conversation shows already, or that need no explanation. */
const NOT_WORTH_A_LINE: ReadonlySet<RefusalReason> = new Set([
  'nothing_to_answer',
  'paused',
  'ended',
  'follow_up_later',
  'follow_ups_off',
  'nothing_to_follow_up',
  'follow_up_undelivered',
])

/**
 * Ends a turn that may not be answered, in one transaction with all consequences. No notice is sent, and no person called, in a
 * conversation that was paused or ended since the turn was read.
 */
export async function finishRefused(
  ctx: PipelineContext,
  turn: Turn,
  refusal: Refusal,
  trace: TraceRecorder,
): Promise<TurnOutcome> {
  const { reason } = refusal
  await ctx.organization(turn.organizationId, async (store) => {
    await lockConversation(store, turn.conversationId)
    const isHeard = refusal.notice !== '' || refusal.handoff !== null
    if (isHeard && !(await holdSpeaking(store, decisionOf(turn)))) {
      const isOurs = await endTurn(store, turn, { status: 'done', outcome: 'unwanted' })
      if (isOurs) await writeTrace(store, turn, trace.finish('unwanted'))
      return
    }
    const status = reason === 'gave_up' ? 'failed' : 'done'
    if (!(await endTurn(store, turn, { status, outcome: reason }))) return
    if (reason === 'gave_up') await addFailedMessage(store, turn, reason)
    else if (isWorthALine(turn, refusal)) await addSilence(store, turn, reason)
    if (refusal.isNotified === false) await rememberNotice(store, turn, reason, Date.now())
    await writeTrace(store, turn, trace.finish(reason))
    if (refusal.followUpAt !== undefined) await postponeFollowUp(store, turn.conversationId, refusal.followUpAt)
    if (refusal.isSettled) await settleQuestions(store, turn)
    if (reason === 'connection_error' && turn.connection) await requeueUnanswered(store, turn.connection.id)
    await react(ctx, store, turn, refusal)
  })
  return { status: 'refused', reason }
}

/** Every unanswered question gets a line for the team. A suppressed follow-up does not: no customer waits for it. */
function isWorthALine({ kind }: Turn, { reason, isNotified }: Refusal): boolean {
  return !NOT_WORTH_A_LINE.has(reason) && (kind === 'reply' || isNotified !== true)
}

/** Notifies the customer and calls a person, as the rule says. */
async function react(ctx: PipelineContext, store: OrgStoreContext, turn: Turn, refusal: Refusal): Promise<void> {
  const { notice, handoff: reason } = refusal
  if (reason === 'customer_request' || reason === 'customer_stop')
    await withholdAgentParts(store, [turn.conversationId]) // parts of earlier answers that are not sent yet
  if (notice) await sendNotice(ctx, store, turn, notice)
  if (reason === null) return
  const isByHand = reason === 'customer_stop' || reason === 'machine_talk'
  const resumeAfterMs = isByHand ? null : turn.agent.settings.handoff.autoResumeMs
  await handOff(store, decisionOf(turn), { reason, note: null, resumeAfterMs })
}

function decisionOf({ conversationId, conversation: { pauseEpoch } }: Turn): Decided {
  return { conversationId, pauseEpoch }
}

/** Sends a text of the agent's settings. It counts as a system message. */
export async function sendNotice(
  ctx: PipelineContext,
  store: OrgStoreContext,
  turn: Turn,
  text: string,
): Promise<void> {
  const { channel } = turn.conversation
  const parts = splitReply(text, channel === 'test' ? null : textLimitOf(ctx.services.channels[channel].showing))
  if (!(await addNotice(store, turn, text, parts))) return
  await recordUsage(store, {
    sourceId: `${turn.turnId}/notice`,
    agentId: turn.agent.id,
    category: 'system_message',
    channel,
    messages: 1,
    call: null,
    occurredAt: new Date(),
  })
}
