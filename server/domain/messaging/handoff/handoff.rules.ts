// Whether a person is called, and what the customer is told of it. Decisions only.
import { findLastIntent } from '#server/domain/messaging/conversations/phrases.rules.ts'
import type { Generation, ModelCall } from '#server/integrations/llm/llm.ts'
import type { Refusal } from '../turns/outcome.ts'
import type { HandoffCall } from '../turns/reply/tools/hand-off.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import type { HistoryMessage, Turn } from '../turns/turn.ts'
import { handoffNotice } from './handoff-text.ts'

/** Words of the customer, with the sequence of their message. */
type Words = Pick<HistoryMessage, 'sequence' | 'text'>

/** Whether the customer calls a person in these messages: then that one answers. Null: nobody is called. */
export function checkPhrases(turn: Turn, questions: Words[], trace: TraceRecorder): Refusal | null {
  const phrase = calledBy(turn, questions)
  if (trace.gate('handoff_phrase', phrase === null, phrase === null ? {} : { phrase })) return null
  return { reason: 'customer_request', notice: handoffNotice(turn), handoff: 'customer_request' }
}

/** The same of recordings, once they have been listened to. What stands in files and pictures is not said by the customer. */
export function checkSpokenPhrases(turn: Turn, questions: HistoryMessage[], trace: TraceRecorder): Refusal | null {
  const said = questions.flatMap(({ sequence, attachments, passedOn }) =>
    (passedOn ? [] : (attachments ?? [])).flatMap(({ kind, text }) =>
      kind === 'voice' && text ? [{ sequence, text }] : [],
    ),
  )
  return said.length > 0 ? checkPhrases(turn, said, trace) : null
}

/** What was said before the agent last began to speak again calls nobody: somebody was called then. */
function calledBy({ agent, conversation }: Turn, words: Words[]): string | null {
  const fresh = words.filter(({ sequence }) => sequence > conversation.phrasesThrough)
  const texts = fresh.map(({ text }) => text)
  const intent = findLastIntent(texts, agent.settings.handoff.customer)
  return intent?.kind === 'stop' ? intent.phrase : null
}

/** What the customer is told by a model that has called a person and then said nothing, or failed. Null: it has called nobody. */
export function answerOfHandoff(turn: Turn, handoff: HandoffCall, call: ModelCall | null): Generation | null {
  if (!handoff.request || !call) return null
  return { text: handoffNotice(turn), call, usedPassageIds: [] }
}
