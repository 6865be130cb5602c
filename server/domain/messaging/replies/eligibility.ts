// May this turn be answered at all? Decisions only; the turn holds everything they need.

import { checkFollowUp } from '../follow-ups/follow-up.ts'
import { checkPhrases } from '../handoff/handoff.rules.ts'
import { checkCommands, withoutCommands } from '../turns/commands.rules.ts'
import type { Refusal, RefusalReason } from '../turns/outcome.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import { unanswered } from '../turns/turn.rules.ts'
import type { Turn } from '../turns/turn.ts'
import { checkQuestions } from './guards/guards.ts'
import { checkMachineTalk } from './guards/machine-talk.rules.ts'
import { checkAgentOff } from './limits/offline.rules.ts'

/** Crashes after which a turn is given up: something about it ends the server that works on it. */
const MAX_CRASHES = 8

/** The first reason not to answer, or null. Every gate that was asked is in the record. */
export function checkEligibility(turn: Turn, trace: TraceRecorder, now: number): Refusal | null {
  const { conversation, connection, agent } = turn
  const { status } = conversation
  if (!trace.gate('conversation', status === 'active', { status })) {
    return silently(status === 'paused' ? 'paused' : 'ended')
  }
  if (!trace.gate('agent', !agent.isDeleted)) return silently('agent_deleted')
  if (!trace.gate('connection', !connection?.isOff && connection?.status !== 'error')) {
    return silently(connection?.isOff ? 'connection_off' : 'connection_error')
  }
  const refusal =
    turn.kind === 'follow_up'
      ? (checkAgentOff(turn, trace, now) ?? checkFollowUp(turn, trace, now))
      : checkQuestion(turn, trace, now)
  if (refusal) return refusal
  if (!trace.gate('attempts', turn.crashes < MAX_CRASHES, { crashes: turn.crashes })) return silently('gave_up')
  return null
}

function checkQuestion(turn: Turn, trace: TraceRecorder, now: number): Refusal | null {
  const questions = unanswered(turn).length
  const waitedSeconds = Math.round(turn.waitedMs / 1000)
  if (!trace.gate('question', questions > 0, { questions, waitedSeconds })) return silently('nothing_to_answer')
  const open = unanswered(turn)
  const settings = turn.connection?.settings ?? null
  return (
    checkCommands(turn, open, trace) ??
    checkPhrases(turn, withoutCommands(open, settings), trace) ??
    checkAgentOff(turn, trace, now) ??
    checkMachineTalk(turn, trace) ??
    checkQuestions(turn, open, trace)
  )
}

function silently(reason: RefusalReason): Refusal {
  return { reason, notice: '', handoff: null }
}
