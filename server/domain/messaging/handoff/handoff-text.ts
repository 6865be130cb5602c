// What customers are told when a person is called for them, or when they are asked rather than answered.
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { Turn } from '../turns/turn.ts'

/** For agents without words of their own. */
export const HANDOFF_SENTENCES = {
  ru: 'Передаю ваш вопрос сотруднику: он ответит вам здесь.',
  kk: 'Сұрағыңызды қызметкерге жіберемін: ол сізге осы жерде жауап береді.',
  en: 'I am passing this on to a colleague, who will answer you here.',
}

/** For agents that ask rather than guess, and have no words of their own for it. */
export const ASKING_SENTENCES = {
  ru: 'Точного ответа на это у меня нет. Уточните, пожалуйста, что именно вас интересует.',
  kk: 'Бұл сұраққа нақты жауабым жоқ. Сізді нақты не қызықтыратынын жазыңызшы.',
  en: 'I do not have an exact answer to that. Could you tell me more precisely what you would like to know?',
}

/** For connections without words of their own. */
export const STOP_SENTENCES = {
  ru: 'Хорошо, больше не пишу. Чтобы снова получать ответы, отправьте /start.',
  kk: 'Жақсы, енді жазбаймын. Қайтадан жауап алу үшін /start деп жіберіңіз.',
  en: 'All right, I will stop writing. To get answers again, send /start.',
}

/** The agent's own text, else a sentence in the customer's language: whoever asks for a person is never left in silence. */
export function handoffNotice(turn: Turn): string {
  return turn.agent.settings.handoff.text || HANDOFF_SENTENCES[languageOf(turn)]
}

/** What a customer is told who wants no more answers, in their language. */
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
