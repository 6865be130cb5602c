// Applies an agent's guards before the model is called and after it has answered. The same in the test chat and in channels.

import { waitsForTeam } from '../../approvals/settle.ts'
import { askBack, handoffNotice } from '../../turns/notice-text.ts'
import type { Refusal } from '../../turns/outcome.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import type { HistoryMessage, Turn } from '../../turns/turn.ts'
import type { Answered } from '../answer.ts'
import { madeUpCountsOf, unfoundedOf } from './grounding.rules.ts'
import { groundAnswer } from './grounding.ts'
import { guardedPhrase, promiseIn } from './guards.rules.ts'

/** Refuses the turn when the customer asks about a guarded topic. Null when the agent may answer. */
export function checkQuestions(turn: Turn, questions: HistoryMessage[], trace: TraceRecorder): Refusal | null {
  const { questions: guard } = turn.agent.settings.guards
  if (guard.phrases.length === 0) return null
  const fresh = questions.filter(({ sequence }) => sequence > turn.conversation.phrasesThrough)
  const phrase = guardedPhrase(fresh.map(({ text }) => text).join('\n'), guard)
  if (trace.gate('guard_question', phrase === null, phrase === null ? {} : { found: phrase })) return null
  const notice = { text: guard.text, silent: '', handoff: guard.text || handoffNotice(turn) }[guard.action]
  return { reason: 'guarded_question', notice, handoff: guard.action === 'handoff' ? 'guard' : null, isSettled: true }
}

/** The answer that may be sent, or `null` to withhold it without a notice. */
export function checkAnswer(turn: Turn, made: Answered, trace: TraceRecorder): Answered | null {
  const { answers: guard, promises } = turn.agent.settings.guards
  if (made.answer.call === null) return made // a text of the settings
  const phrase = guardedPhrase(made.answer.text, guard)
  if (
    guard.phrases.length > 0 &&
    !trace.gate('guard_answer', phrase === null, phrase === null ? {} : { found: phrase })
  ) {
    return instead(turn, made, phrase)
  }
  const compared = groundAnswer(turn, made)
  if (compared) trace.sentences(compared)
  const unfounded = unfoundedOf(compared ?? [])
  const isMadeUpCount = madeUpCountsOf(compared ?? []).length > 0
  const mayStand = compared === null || (turn.agent.settings.unfounded.action === 'allow' && !isMadeUpCount)
  if (!mayStand && !trace.gate('grounding', unfounded.length === 0, { unfounded: unfounded.length })) {
    if (turn.kind === 'follow_up') return null // the customer has asked nothing that could be asked back, or handed over
    return insteadOfUnfounded(turn, made, unfounded)
  }
  const isKept = made.context.handoff.request !== null || waitsForTeam(made.context.approvals)
  const promise = promises === 'handoff' && !isKept ? promiseIn(made.answer.text) : null
  if (promise !== null) {
    trace.gate('promise', false, { found: promise })
    made.context.handoff.request = { reason: 'promise', note: promise }
  }
  return { ...made, unfounded }
}

/** Asks back, also in place of a made-up count, and hands over where that was not enough. The model's own handoff takes precedence. */
function insteadOfUnfounded(turn: Turn, made: Answered, unfounded: string[]): Answered {
  const { action, text } = turn.agent.settings.unfounded
  const question = text || askBack(turn)
  const hasAsked = turn.history.findLast(({ author }) => author === 'agent')?.text === question
  const isAsked = action !== 'handoff' && !hasAsked
  if (!isAsked) made.context.handoff.request ??= { reason: 'missing_knowledge', note: unfounded.join(' ') }
  const replacement = isAsked ? question : (action === 'handoff' && text) || handoffNotice(turn)
  return { ...made, answer: { ...made.answer, text: replacement, usedPassageIds: [] } }
}

/** The replacement for an answer that may not be sent. */
function instead(turn: Turn, made: Answered, phrase: string | null): Answered | null {
  const { action, text } = turn.agent.settings.guards.answers
  if (action === 'silent') return null
  if (action === 'handoff') made.context.handoff.request = { reason: 'guard', note: phrase }
  const replacement = text || (action === 'handoff' ? handoffNotice(turn) : '')
  return replacement === '' ? null : { ...made, answer: { ...made.answer, text: replacement, usedPassageIds: [] } }
}
