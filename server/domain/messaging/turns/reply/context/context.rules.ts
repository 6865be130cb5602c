// What of a conversation a model is given: how much fits, what stands for the rest, and when the rest is to be summarised.
import type { ChatMessage } from '#server/integrations/llm/llm.ts'
import { spokenPart } from '#server/integrations/llm/reading/answer-reader.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { HistoryMessage, Memory } from '../../turn.ts'

type Limits = AgentSettings['context']

/** A part of the conversation that is given word for word, oldest first, and what came before it. */
export type Fitted = { kept: HistoryMessage[]; dropped: HistoryMessage[] }

const MINUTE_MS = 60_000
/** Silence after which another message begins another topic, unless the agent has an age limit of its own. */
export const NEW_TOPIC_AFTER_MS = 12 * 60 * MINUTE_MS
/** Characters of one token, roughly and rather too few. */
const CHARACTERS_PER_TOKEN = { ascii: 4, other: 2.5 }
/** What a message costs beside its text. */
const MESSAGE_TOKENS = 4
/** Part of the limits at which the oldest messages are summarised, and the part that is then left as it is. */
const SUMMARISE_AT = 0.75
const SUMMARISE_TO = 0.5
/** Messages without a summary that are quoted, and characters of each. */
const QUOTED_MESSAGES = 6
const QUOTED_CHARACTERS = 160

/**
 * Keeps what fits, newest first, and always the questions: they stand last, also when they came in before the answer to something
 * else. What never reached the customer is left out altogether.
 *
 * @param now milliseconds since the epoch
 */
export function fitConversation(
  history: HistoryMessage[],
  questions: HistoryMessage[],
  limits: Limits,
  now: number,
): Fitted {
  const waiting = new Set(questions)
  const earlier = history.filter((message) => !waiting.has(message) && isSpoken(message))
  const oldestAt = limits.maxAgeMinutes === null ? 0 : now - limits.maxAgeMinutes * MINUTE_MS
  const silenceMs = limits.maxAgeMinutes === null ? NEW_TOPIC_AFTER_MS : Number.POSITIVE_INFINITY
  let tokens = questions.reduce((sum, message) => sum + tokensOf(message), 0)
  let nextAt = questions[0]?.at ?? earlier.at(-1)?.at ?? now
  let first = earlier.length
  for (const message of earlier.toReversed()) {
    tokens += tokensOf(message)
    const count = questions.length + earlier.length - first + 1
    const isTooMuch = tokens > limits.maxTokens || count > limits.maxMessages
    if (isTooMuch || message.at < oldestAt || nextAt - message.at >= silenceMs) break
    nextAt = message.at
    first -= 1
  }
  return { kept: [...earlier.slice(first), ...questions], dropped: earlier.slice(0, first) }
}

/** One entry for each change of speaker: some providers refuse two in a row. What people said meanwhile is data to the model. */
export function toChat(messages: HistoryMessage[]): ChatMessage[] {
  return messages.reduce<ChatMessage[]>((chat, { author, text, data }, at) => {
    const last = chat.at(-1)
    if (last && messages[at - 1]?.author === author) {
      last.text = `${last.text}\n\n${text}`
      if (data) last.data = [...(last.data ?? []), ...data]
    } else {
      const role = author === 'agent' ? 'assistant' : 'user'
      chat.push({ role, text, ...(author === 'operator' && { isColleague: true as const }), ...(data && { data }) })
    }
    return chat
  }, [])
}

/** What stands for messages that are left out: the summary, and the last of those that it does not hold yet. Null: nothing is needed. */
export function recallDropped(dropped: HistoryMessage[], { summary, summaryThrough }: Memory): string | null {
  const quoted = dropped
    .filter((message) => message.sequence > summaryThrough)
    .slice(-QUOTED_MESSAGES)
    .map((message) => lineOf(message, QUOTED_CHARACTERS))
  const hasForgotten = dropped.length > 0 || summaryThrough > 0
  return (hasForgotten && [summary, ...quoted].filter(Boolean).join('\n')) || null
}

/**
 * Up to which message a conversation is now to be summarised, or null while all of it fits easily. Early enough that a summary is
 * there when the first message is left out, and enough of it that the next one is some time away.
 */
export function summaryDue(history: HistoryMessage[], limits: Limits, memory: Memory, now: number): number | null {
  const open = history.filter((message) => message.sequence > memory.summaryThrough)
  if (fitConversation(open, [], scale(limits, SUMMARISE_AT), now).dropped.length === 0) return null
  return fitConversation(open, [], scale(limits, SUMMARISE_TO), now).dropped.at(-1)?.sequence ?? null
}

/** One message as a line of a protocol. */
export function lineOf({ author, text }: Pick<HistoryMessage, 'author' | 'text'>, maxCharacters: number): string {
  const speaker = author === 'customer' ? 'Customer' : author === 'operator' ? 'Colleague' : 'Agent'
  const said = (author === 'agent' ? spokenPart(text) : text).replace(/\s+/g, ' ').trim()
  return `${speaker}: ${said.length > maxCharacters ? `${said.slice(0, maxCharacters).toWellFormed()}…` : said}`
}

function scale(limits: Limits, part: number): Limits {
  return {
    ...limits,
    maxTokens: Math.floor(limits.maxTokens * part),
    maxMessages: Math.max(1, Math.floor(limits.maxMessages * part)),
  }
}

function isSpoken({ author, status, text }: HistoryMessage): boolean {
  return author !== 'system' && (status === 'complete' || status === 'stopped') && text.trim() !== ''
}

function tokensOf({ text: said, data = [] }: HistoryMessage): number {
  const text = [said, ...data.map((block) => block.text)].join('\n')
  let ascii = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 128) ascii += 1
  const other = text.length - ascii
  return MESSAGE_TOKENS + Math.ceil(ascii / CHARACTERS_PER_TOKEN.ascii + other / CHARACTERS_PER_TOKEN.other)
}
