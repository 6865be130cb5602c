// What customers are told when a person is called for them.
import { languageFor } from '#server/llm/language.ts'
import type { Turn } from './turn.store.ts'

/** For agents without words of their own. */
export const HANDOFF_SENTENCES = {
  ru: 'Передаю ваш вопрос сотруднику: он ответит вам здесь.',
  en: 'I am passing this on to a colleague, who will answer you here.',
}

/** The agent's own text, else a sentence in the customer's language: whoever asks for a person is never left in silence. */
export function handoffNotice({ agent, history, limits }: Turn): string {
  const earlier = history.filter((message) => message.author === 'customer').map((message) => message.text)
  return agent.settings.handoff.text || HANDOFF_SENTENCES[languageFor('', { earlier, tag: limits.language })]
}
