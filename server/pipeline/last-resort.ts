// What happens when no model has answered: what the agent's settings say, and always a line for the team that says why.
import type { OrgStoreContext } from '#server/db/database.ts'
import { pause } from '#server/features/conversations/conversations.store.ts'
import { addFailedMessage, endTurn } from './finish.store.ts'
import { holdConversation } from './last-resort.store.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { addSilence } from './refuse.store.ts'
import { tellCustomer } from './refuse.ts'
import { writeTrace } from './trace.store.ts'
import type { TraceRecorder } from './trace.ts'
import type { Turn } from './turn.store.ts'

/**
 * Ends a turn that could not be answered. The customer is told once at most, and nothing once a person has taken over. The question
 * stays open: the next message is answered together with it.
 */
export async function takeLastResort(
  ctx: PipelineContext,
  store: OrgStoreContext,
  turn: Turn,
  { reason, trace }: { reason: string; trace: TraceRecorder },
): Promise<void> {
  if (!(await holdConversation(store, turn))) {
    await endTurn(store, turn, { status: 'done', outcome: 'unwanted' })
    return
  }
  if (!(await endTurn(store, turn, { status: 'failed', outcome: reason }))) return
  await writeTrace(store, turn, trace.finish(reason))
  const { notice, isHandedOver } = resortOf(turn)
  if (notice) {
    await tellCustomer(ctx, store, turn, notice)
    await addSilence(store, turn, reason)
  } else {
    await addFailedMessage(store, turn, reason)
  }
  if (isHandedOver) {
    await pause(store, turn.conversationId, 'model_failure', turn.agent.settings.handoff.autoResumeMs ?? undefined)
  }
}

/** A customer who has asked nothing is told nothing. */
function resortOf({ kind, agent }: Turn): { notice: string; isHandedOver: boolean } {
  const { fallback, handoff } = agent.settings
  if (kind !== 'reply' || fallback.last === 'silent') return { notice: '', isHandedOver: false }
  if (fallback.last === 'text') return { notice: fallback.text, isHandedOver: false }
  return { notice: fallback.text || handoff.text, isHandedOver: true }
}
