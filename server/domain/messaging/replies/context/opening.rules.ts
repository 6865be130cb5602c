// A customer who presses "Start" in a messenger sends `/start`, sometimes with the payload of the link they came by. The inbox keeps
// it unchanged; the model receives what it means. Pure.
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import type { HistoryMessage, Turn } from '../../turns/turn.ts'

const START = /^\/start(?:@\w+)?(?:\s+(\S[\s\S]*))?$/i
const GREETINGS = { ru: 'Здравствуйте!', kk: 'Сәлеметсіз бе!', en: 'Hello!' }

/** The history with each `/start` as a greeting in the customer's language, along with a data block that says what happened. */
export function withOpenings({ history, limits }: Pick<Turn, 'history' | 'limits'>): HistoryMessage[] {
  if (!history.some(isOpening)) return history
  const earlier = history.filter((message) => message.author === 'customer' && !isOpening(message))
  const hints = { earlier: earlier.map(({ text }) => text), tag: limits.language }
  const greeting = GREETINGS[answerLanguageFor('', hints)]
  return history.map((message) => (isOpening(message) ? opened(message, greeting, limits.language) : message))
}

/** A `/start` that was answered by its own text does not count as a greeting. */
function isOpening({ author, text, subject }: HistoryMessage): boolean {
  return author === 'customer' && subject === undefined && START.test(text.trim())
}

/** An empty subject: nothing is asked, so there is nothing to search for. */
function opened(message: HistoryMessage, greeting: string, language: string | null): HistoryMessage {
  const payload = START.exec(message.text.trim())?.[1]
  const facts = [
    'The customer has just opened the chat with the button "Start" and has written nothing themselves yet.',
    ...(language ? [`Language of their messenger: ${language}.`] : []),
    ...(payload ? [`The link by which they came carries: ${payload}`] : []),
  ]
  const block: DataBlock = { title: 'What this greeting stands for', text: facts.join('\n') }
  return { ...message, text: greeting, subject: '', data: [block, ...(message.data ?? [])] }
}
