// Whether a person is called, and what the customer is told of it. Decisions only.
import { findLastIntent } from '#server/features/conversations/phrases.rules.ts'
import type { Generation, ModelCall } from '#server/llm/llm.ts'
import { languageOf } from '#server/llm/words.ts'
import type { HandoffCall } from './tools/hand-off.ts'
import type { HistoryMessage, Turn } from './turn.store.ts'

/**
 * The phrase by which the customer calls a person in these messages, or null. What was said before the agent last began to speak
 * again calls nobody: somebody was called then.
 */
export function calledBy(turn: Turn, questions: HistoryMessage[]): string | null {
  const { settings } = turn.agent
  const fresh = questions.filter((message) => message.sequence > turn.conversation.phrasesThrough)
  const texts = fresh.map((message) => message.text)
  const intent = findLastIntent(texts, settings.handoff.customer)
  return intent?.kind === 'stop' ? intent.phrase : null
}

const SENTENCES = {
  ru: 'Передаю ваш вопрос сотруднику: он ответит вам здесь.',
  en: 'I am passing this on to a colleague, who will answer you here.',
}

/** What the customer is told by a model that has called a person and then said nothing, or failed. Null: it has called nobody. */
export function answerOfHandoff(turn: Turn, handoff: HandoffCall, call: ModelCall | null): Generation | null {
  if (!handoff.request || !call) return null
  const question = turn.history.findLast((message) => message.author === 'customer')
  const text = turn.agent.settings.handoff.text || SENTENCES[languageOf(question?.text ?? '')]
  return { text, call, usedPassageIds: [] }
}
