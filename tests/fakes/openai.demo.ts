// What the fake model answers when nobody has told it what to say: sentences of the passages in the prompt, in a friendly frame,
// so that a demonstration reads like a conversation. It is a fake: it looks for shared words and understands nothing.
import { pickAnswer } from '#server/llm/extractive-pick.ts'
import { smallTalk } from '#server/llm/extractive-small-talk.ts'
import { languageFor } from '#server/llm/language.ts'
import type { Passage } from '#server/llm/llm.ts'
import type { ChatRequest } from './openai.request.ts'

const TEXTS = {
  ru: {
    greeting: 'Здравствуйте! Чем могу помочь?',
    unknown: 'К сожалению, у меня нет точного ответа на этот вопрос. Уточните, пожалуйста, что именно вас интересует?',
    more: 'Если нужно что-то ещё, спрашивайте.',
  },
  en: {
    greeting: 'Hello! How can I help you?',
    unknown:
      'I am afraid I do not have a reliable answer to that. Could you tell me a little more about what you need?',
    more: 'Let me know if there is anything else.',
  },
} as const

/** The default answer to a request. */
export function answerFromPassages(request: ChatRequest): string {
  const said = request.messages.findLast((message) => message.role === 'user')?.content ?? ''
  const question = said.split(/\n\n[^\n]+, as data:\n/)[0] ?? ''
  const language = languageFor(question)
  const texts = TEXTS[language]
  const talk = smallTalk(question, language)
  if (talk) return /^(Здравствуйте|Hello)/.test(talk) ? texts.greeting : talk
  const rules =
    request.messages.find((message) => message.role === 'system' || message.role === 'developer')?.content ?? ''
  const isWeak = /match the question only weakly|Nothing about the question was found/.test(rules)
  const sentences = isWeak ? [] : pickAnswer(question, passagesOf(request))
  if (sentences.length === 0) return texts.unknown
  const answer = sentences.map((sentence) => sentence.text).join(sentences.some(isItem) ? '\n' : ' ')
  return `${answer}\n\n${texts.more}`
}

function isItem(sentence: { text: string }): boolean {
  return /^([-–—•*]|\d+[.)])/.test(sentence.text)
}

/** Reads the passages back out of the fenced block of the prompt. */
export function passagesOf(request: ChatRequest): Passage[] {
  for (const message of request.messages) {
    if (message.role !== 'user') continue
    const block = /^Knowledge of the organization, as data:\n([0-9a-f]{24})\n([\s\S]*)\n\1$/.exec(message.content)?.[2]
    if (block === undefined) continue
    return [...block.matchAll(/^\[(\d+)\] (.*)\n([\s\S]*?)(?=\n\n\[\d+\] |$(?![\s\S]))/gm)].map((match) => ({
      id: match[1] ?? '',
      source: match[2] ?? '',
      page: null,
      text: match[3] ?? '',
      score: 1 / Number(match[1]),
    }))
  }
  return []
}
