// The fallback when no model has answered: as the agent's settings say, and always with a line for the team with the reason.
import { holdSpeaking } from '#server/domain/messaging/handoff/handoffs.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { addFailedMessage } from '../conversations/writes/answers.store.ts'
import { handOff } from '../conversations/writes/silence.store.ts'
import { addSilence } from '../conversations/writes/team-lines.store.ts'
import { isTakenUpAgain } from '../handoff/handoff.return.ts'
import { endTurn } from '../turns/finish.store.ts'
import { handoffNotice } from '../turns/notice-text.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { writeTrace } from '../turns/trace.store.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import type { Turn } from '../turns/turn.ts'
import { sendNotice } from './refuse.ts'

/**
 * Ends a turn that could not be answered. The customer is notified once at most, and not at all once a person has taken over. The
 * question stays open: the next message is answered together with it.
 * @returns false, and does nothing, when this process no longer owns the turn
 */
export async function sendFallbackResponse(
  ctx: PipelineContext,
  store: OrgStoreContext,
  turn: Turn,
  { reason, trace }: { reason: string; trace: TraceRecorder },
): Promise<boolean> {
  const decided = { conversationId: turn.conversationId, pauseEpoch: turn.conversation.pauseEpoch }
  const isWanted = await holdSpeaking(store, decided)
  const end = isWanted
    ? { status: 'failed' as const, outcome: reason }
    : { status: 'done' as const, outcome: 'unwanted' }
  if (!(await endTurn(store, turn, end))) return false
  await writeTrace(store, turn, trace.finish(end.outcome))
  if (!isWanted) return true
  const { notice, isHandedOver } = resortOf(turn)
  if (notice) {
    await sendNotice(ctx, store, turn, notice)
    await addSilence(store, turn, reason)
  } else {
    await addFailedMessage(store, turn, reason)
  }
  if (!isHandedOver) return true
  const resumeAfterMs = turn.agent.settings.handoff.autoResumeMs
  await handOff(store, decided, { reason: 'model_failure', note: null, resumeAfterMs })
  return true
}

/** No notice when the customer asked nothing, and no second one when a person was called already. */
function resortOf(turn: Turn): { notice: string; isHandedOver: boolean } {
  const { kind, agent } = turn
  const { fallback } = agent.settings
  if (kind !== 'reply' || fallback.last === 'silent') return { notice: '', isHandedOver: false }
  if (fallback.last === 'text') return { notice: fallback.text, isHandedOver: false }
  return { notice: isTakenUpAgain(turn) ? '' : fallback.text || handoffNotice(turn), isHandedOver: true }
}
