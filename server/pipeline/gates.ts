// May this turn be answered at all? Decisions only; the turn holds everything they need.
import type { PauseReason } from '#shared/conversations.ts'
import { checkCommands, withoutCommands } from './commands.rules.ts'
import { checkFollowUp } from './follow-up.ts'
import { checkQuestions } from './guards.ts'
import { checkPhrases } from './handoff.rules.ts'
import { checkMachineTalk } from './machine-talk.rules.ts'
import { checkAgentOff } from './offline.rules.ts'
import type { TraceRecorder } from './trace.ts'
import type { Turn } from './turn.ts'

/** Why a turn is not answered. */
export type RefusalReason =
  | 'nothing_to_answer'
  | 'paused'
  | 'ended'
  | 'agent_deleted'
  | 'agent_off'
  | 'connection_off'
  | 'connection_error'
  | 'gave_up'
  | 'welcomed'
  | 'command_answered'
  | 'customer_stop'
  | 'customer_request'
  | 'machine_talk'
  | 'guarded_question'
  | 'guarded_answer'
  | 'follow_up_later'
  | 'follow_ups_off'
  | 'nothing_to_follow_up'
  | 'follow_up_undelivered'
  | 'follow_up_needs_model'
  | 'follow_up_out_of_window'
  | 'outside_hours'
  | 'agent_limit'
  | 'customer_limit'
  | 'visitors_limit'
  | 'spending_limit'
  | 'allowance_used_up'

/** A turn that is not answered, and what happens instead. */
export type Refusal = {
  reason: RefusalReason
  /** What the customer is told; empty: nothing. */
  notice: string
  /** Why a person is called; null: nobody is. */
  handoff: PauseReason | null
  /** Whether the questions are dealt with by this; else they stay open for the next answer. */
  isSettled?: boolean
  /** Of rules that speak to the customer once in a period: whether they have done so in this one. */
  isTold?: boolean
  /** Of a follow-up that comes too early: when it is tried again, milliseconds since the epoch. */
  followUpAt?: number
}

/** Setbacks after which a turn is given up: something about it ends the server that works on it. */
const MAX_SETBACKS = 8

/** The first reason not to answer, or null. Every gate that was asked is in the record. */
export function checkGates(turn: Turn, trace: TraceRecorder, now: number): Refusal | null {
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
  if (!trace.gate('attempts', turn.setbacks < MAX_SETBACKS, { setbacks: turn.setbacks })) return silently('gave_up')
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

/** What the customer has said since the last answer, oldest first. */
export function unanswered(turn: Pick<Turn, 'history' | 'conversation'>): Turn['history'] {
  return turn.history.filter(
    (message) => message.author === 'customer' && message.sequence > turn.conversation.answeredThrough,
  )
}
