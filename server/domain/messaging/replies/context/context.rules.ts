// The part of a conversation that the model receives: how much fits, what replaces the rest, and when the rest is summarised.
import type { ChatMessage } from '#server/integrations/llm/llm.ts'
import { spokenPart } from '#server/integrations/llm/reading/answer-reader.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { HistoryMessage, Memory } from '../../turns/turn.ts'

type Limits = AgentSettings['context']

/** The messages passed verbatim, oldest first, and those dropped before them. */
export type Fitted = { kept: HistoryMessage[]; dropped: HistoryMessage[] }

const MINUTE_MS = 60_000
/** A message after a silence of this length begins a new topic, unless the agent has its own age limit. */
export const NEW_TOPIC_AFTER_MS = 12 * 60 * MINUTE_MS
/** Characters per token: a conservative estimate. */
const CHARACTERS_PER_TOKEN = { ascii: 4, other: 2.5 }
/** Tokens per message in addition to its text. */
const MESSAGE_TOKENS = 4
/** Share of the limits at which the oldest messages are summarised, and the share that then stays verbatim. */
const SUMMARISE_AT = 0.75
const SUMMARISE_TO = 0.5
/** Messages without a summary that are quoted, and characters of each. */
const QUOTED_MESSAGES = 6
const QUOTED_CHARACTERS = 160

/**
 * Keeps what fits, newest first, and always the questions: they come last, even if they arrived before the answer to something else.
 * Messages that never reached the customer are left out entirely.
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

/** Merges consecutive messages of one role: some providers refuse two in a row. Operators' messages are data of the user role. */
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

/** Replaces dropped messages: the summary, and the last messages that it does not cover yet. Null when none is needed. */
export function recallDropped(dropped: HistoryMessage[], { summary, summaryThrough }: Memory): string | null {
  const quoted = dropped
    .filter((message) => message.sequence > summaryThrough)
    .slice(-QUOTED_MESSAGES)
    .map((message) => lineOf(message, QUOTED_CHARACTERS))
  const hasForgotten = dropped.length > 0 || summaryThrough > 0
  return (hasForgotten && [summary, ...quoted].filter(Boolean).join('\n')) || null
}

/**
 * The message up to which the conversation is to be summarised now, or null while all of it fits easily. Early enough that the summary
 * is ready when the first message is dropped, and far enough that the next one is not due soon.
 */
export function summaryDue(history: HistoryMessage[], limits: Limits, memory: Memory, now: number): number | null {
  const open = history.filter((message) => message.sequence > memory.summaryThrough)
  if (fitConversation(open, [], scale(limits, SUMMARISE_AT), now).dropped.length === 0) return null
  return fitConversation(open, [], scale(limits, SUMMARISE_TO), now).dropped.at(-1)?.sequence ?? null
}

/** One message as a transcript line. */
export function lineOf({ author, text }: Pick<HistoryMessage, 'author' | 'text'>, maxCharacters: number): string {
  const speaker = author === 'customer' ? 'Customer' : author === 'operator' ? 'Colleague' : 'Agent'
  const line = (author === 'agent' ? spokenPart(text) : text).replace(/\s+/g, ' ').trim()
  return `${speaker}: ${line.length > maxCharacters ? `${line.slice(0, maxCharacters).toWellFormed()}…` : line}`
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

function tokensOf({ text: ownText, data = [] }: HistoryMessage): number {
  const text = [ownText, ...data.map((block) => block.text)].join('\n')
  let ascii = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 128) ascii += 1
  const other = text.length - ascii
  return MESSAGE_TOKENS + Math.ceil(ascii / CHARACTERS_PER_TOKEN.ascii + other / CHARACTERS_PER_TOKEN.other)
}
