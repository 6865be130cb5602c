// Whether a turn is handed over to a person, and the notice that the customer receives. Decisions only.
import { findLastIntent } from '#server/domain/messaging/conversations/phrases.rules.ts'
import type { Generation, ModelCall } from '#server/integrations/llm/llm.ts'
import { handoffNotice } from '../turns/notice-text.ts'
import type { Refusal } from '../turns/outcome.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import type { HistoryMessage, Turn } from '../turns/turn.ts'
import type { HandoffCall } from './hand-off-tool.ts'

/** The text of a customer's message, with its sequence. */
type Words = Pick<HistoryMessage, 'sequence' | 'text'>

/** Refuses the turn and hands it over when the customer asks for a person in these messages. Null when they do not. */
export function checkPhrases(turn: Turn, questions: Words[], trace: TraceRecorder): Refusal | null {
  const phrase = calledBy(turn, questions)
  if (trace.gate('handoff_phrase', phrase === null, phrase === null ? {} : { phrase })) return null
  return { reason: 'customer_request', notice: handoffNotice(turn), handoff: 'customer_request' }
}

/** The same for transcribed voice messages. Text of files, pictures and forwarded messages is not the customer's own. */
export function checkSpokenPhrases(turn: Turn, questions: HistoryMessage[], trace: TraceRecorder): Refusal | null {
  const spoken = questions.flatMap(({ sequence, attachments, passedOn }) =>
    (passedOn ? [] : (attachments ?? [])).flatMap(({ kind, text }) =>
      kind === 'voice' && text ? [{ sequence, text }] : [],
    ),
  )
  return spoken.length > 0 ? checkPhrases(turn, spoken, trace) : null
}

/** The phrase that calls a person. Messages from before the agent was last resumed do not count: a person was called for them then. */
function calledBy({ agent, conversation }: Turn, words: Words[]): string | null {
  const fresh = words.filter(({ sequence }) => sequence > conversation.phrasesThrough)
  const texts = fresh.map(({ text }) => text)
  const intent = findLastIntent(texts, agent.settings.handoff.customer)
  return intent?.kind === 'stop' ? intent.phrase : null
}

/** The notice sent in place of an answer when the model called a person and then wrote nothing, or failed. Null without a handoff. */
export function answerOfHandoff(turn: Turn, handoff: HandoffCall, call: ModelCall | null): Generation | null {
  if (!handoff.request || !call) return null
  return { text: handoffNotice(turn), call, usedPassageIds: [] }
}
