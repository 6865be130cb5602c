// Texts for customers: when the conversation is handed over, when the agent asks back instead of answering, and after a stop command.
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { Turn } from './turn.ts'

/** Default text for agents without their own. */
export const HANDOFF_SENTENCES = {
  ru: 'Передаю ваш вопрос сотруднику: он ответит вам здесь.',
  kk: 'Сұрағыңызды қызметкерге жіберемін: ол сізге осы жерде жауап береді.',
  en: 'I am passing this on to a colleague, who will answer you here.',
}

/** Default text for agents that ask back rather than guess, and have no text of their own for it. */
export const ASKING_SENTENCES = {
  ru: 'Точного ответа на это у меня нет. Уточните, пожалуйста, что именно вас интересует.',
  kk: 'Бұл сұраққа нақты жауабым жоқ. Сізді нақты не қызықтыратынын жазыңызшы.',
  en: 'I do not have an exact answer to that. Could you tell me more precisely what you would like to know?',
}

/** Default text for connections without their own. */
export const STOP_SENTENCES = {
  ru: 'Хорошо, больше не пишу. Чтобы снова получать ответы, отправьте /start.',
  kk: 'Жақсы, енді жазбаймын. Қайтадан жауап алу үшін /start деп жіберіңіз.',
  en: 'All right, I will stop writing. To get answers again, send /start.',
}

/** The agent's own text, else the default in the customer's language: a customer who asks for a person always gets a reply. */
export function handoffNotice(turn: Turn): string {
  return turn.agent.settings.handoff.text || HANDOFF_SENTENCES[languageOf(turn)]
}

/** The reply to a customer who wants no more answers, in their language. */
export function stopNotice(turn: Turn): string {
  return STOP_SENTENCES[languageOf(turn)]
}

/** A question back, in the customer's language. */
export function askBack(turn: Turn): string {
  return ASKING_SENTENCES[languageOf(turn)]
}

function languageOf({ history, limits }: Turn) {
  const earlier = history.filter((message) => message.author === 'customer').map((message) => message.text)
  return answerLanguageFor('', { earlier, tag: limits.language })
}
