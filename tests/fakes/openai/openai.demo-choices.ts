// When the fake model of the demonstration offers choices: to a customer who wants to book, where it has the tool for it.
import { languageFor } from '#server/integrations/llm/language.ts'
import type { ChatRequest } from './openai.request.ts'
import type { FakeReply } from './openai.ts'

const TOOL = 'offer_choices'
const BOOKS = /заброни|\bbook\b/i
const TEXTS = {
  ru: { question: 'С удовольствием! На сколько ночей?', choices: ['На одну ночь', 'На две ночи', 'На неделю'] },
  en: { question: 'With pleasure! For how many nights?', choices: ['One night', 'Two nights', 'A whole week'] },
} as const

/** The call of the tool, or the question above the choices. Undefined where the request is about something else. */
export function replyWithChoices({ messages, tools = [] }: ChatRequest): FakeReply | undefined {
  const lastUserText = messages.findLast((message) => message.role === 'user')?.content ?? ''
  const question = lastUserText.split(/\n\n[^\n]+, as data:\n/)[0] ?? ''
  if (!BOOKS.test(question) || !tools.some((tool) => tool.function.name === TOOL)) return undefined
  const texts = TEXTS[languageFor(question) === 'ru' ? 'ru' : 'en']
  if (messages.at(-1)?.role === 'tool') return { text: texts.question }
  return { toolCalls: [{ name: TOOL, arguments: JSON.stringify({ choices: texts.choices }) }] }
}
