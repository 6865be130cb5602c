// A follow-up as a turn: the gate in the place of the question.

import type { Refusal } from '../turns/outcome.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import type { Turn } from '../turns/turn.ts'
import { judgeFollowUp } from './follow-up.rules.ts'

/** Why the customer is not disturbed now, or null. Neither the customer nor the team hears of it, but for what a person has to mend. */
export function checkFollowUp(turn: Turn, trace: TraceRecorder, now: number): Refusal | null {
  const verdict = judgeFollowUp(turn, now)
  const facts = {
    followUp: (turn.followUp?.step ?? 0) + 1,
    sentToday: turn.followUp?.sentToday ?? 0,
    followUpsADay: turn.agent.settings.followUps.maxPerCustomerADay,
    ...(verdict.kind === 'later' && { waitsUntil: new Date(verdict.at).toISOString() }),
  }
  if (trace.gate('follow_up', verdict.kind === 'send', facts)) return null
  const silently = { notice: '', handoff: null }
  switch (verdict.kind) {
    case 'send':
      return null
    case 'later':
      return { ...silently, reason: 'follow_up_later', followUpAt: verdict.at }
    case 'drop':
      return { ...silently, reason: verdict.reason }
    default:
      return verdict satisfies never
  }
}
