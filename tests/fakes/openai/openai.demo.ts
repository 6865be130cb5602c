// What the fake model answers when no reply is scripted: sentences of the passages in the prompt, in a friendly frame, so that a
// demonstration reads like a conversation. It is a fake: it looks for shared words and understands nothing.
import { pickAnswer } from '#server/integrations/llm/extractive/extractive-pick.ts'
import { smallTalk } from '#server/integrations/llm/extractive/extractive-small-talk.ts'
import { languageFor } from '#server/integrations/llm/language.ts'
import type { Passage } from '#server/integrations/llm/llm.ts'
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
  const lastUserText = request.messages.findLast((message) => message.role === 'user')?.content ?? ''
  const question = lastUserText.split(/\n\n[^\n]+, as data:\n/)[0] ?? ''
  const language = languageFor(question)
  const texts = TEXTS[language]
  const rulesOf = request.messages.find((message) => message.role === 'system' || message.role === 'developer')
  const rules = rulesOf?.content ?? ''
  if (rules.startsWith('You write the instructions')) return instructionsFrom(lastUserText, rules)
  const talk = smallTalk(question, language)
  if (talk) return /^(Здравствуйте|Hello)/.test(talk) ? texts.greeting : talk
  const isWeak = /match the question only weakly|Nothing about the question was found/.test(rules)
  const sentences = isWeak ? [] : pickAnswer(question, passagesOf(request))
  if (sentences.length === 0) return texts.unknown
  const answer = sentences.map((sentence) => sentence.text).join(sentences.some(isItem) ? '\n' : ' ')
  return `${answer}\n\n${texts.more}`
}

/** What a writer of instructions makes of a description: the description itself in a frame that suits any shop. */
function instructionsFrom(lastUserText: string, rules: string): string {
  const description =
    /^Description:\n([\s\S]*?)(?:\n\nCurrent instructions:|$)/.exec(lastUserText)?.[1]?.trim() ?? lastUserText
  if (/Write in Russian/.test(rules)) {
    return `# Роль\nТы помощник клиентов. О деле: ${description}\n\n# Как отвечать\n- Коротко, вежливо, на языке клиента.\n- Один уточняющий вопрос, если неясно, о чём речь.\n\n# Знания\n- Отвечай по найденным отрывкам. Если ответа в них нет, так и скажи.\n\n# Когда звать человека\n- Жалоба, возврат денег или просьба позвать сотрудника.`
  }
  return `# Role\nYou help the customers. About the business: ${description}\n\n# How to answer\n- Briefly, politely, in the customer's language.\n- Ask one question when it is unclear what is meant.\n\n# Knowledge\n- Answer from the passages found. When they do not hold the answer, say so.\n\n# When to call a person\n- A complaint, a refund, or a wish to speak to somebody.`
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
