// Quotes and group speakers as the model reads them: what a customer replies to, and which member of a group writes. Pure.
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import type { HistoryMessage } from '../../turns/turn.ts'

/** The history with the quoted text along with each reply, and in groups with the speaker's number before each message. */
export function withQuotes(history: HistoryMessage[]): HistoryMessage[] {
  const names = speakersOf(history)
  return history.map((message) => withSpeaker(withQuote(message), names))
}

/** The names behind the speaker numbers. Names are chosen by their users, so they are passed as data. Empty without named speakers. */
export function speakerNames(history: HistoryMessage[]): DataBlock[] {
  const names = speakersOf(history)
  if (names.length === 0) return []
  const text = names.map((name, at) => `${labelOf(at)}: ${name.replace(/\s+/g, ' ').trim()}`).join('\n')
  return [{ title: 'Names of the people who write in this group', text }]
}

/** The search query of a reply such as "And this one?" includes the text it replies to. */
function withQuote(message: HistoryMessage): HistoryMessage {
  const { quoted, text, subject = text, data = [] } = message
  if (!quoted) return message
  const block = { title: 'The earlier message to which this one replies', text: quoted }
  return { ...message, subject: `${quoted}\n${subject}`, data: [...data, block] }
}

function withSpeaker(message: HistoryMessage, names: string[]): HistoryMessage {
  const { speaker, text, subject = text } = message
  return speaker ? { ...message, subject, text: `${labelOf(names.indexOf(speaker))}: ${text}` } : message
}

/** Distinct speakers, in the order of their first messages. */
function speakersOf(history: HistoryMessage[]): string[] {
  return [...new Set(history.flatMap(({ speaker }) => speaker || []))]
}

function labelOf(at: number): string {
  return `Person ${at + 1}`
}
