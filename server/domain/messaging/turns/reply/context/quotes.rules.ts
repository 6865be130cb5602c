// Messages as messengers have them, as a model reads them: what a customer replies to, and who of a group speaks. Pure.
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import type { HistoryMessage } from '../../turn.ts'

/** The history with what is replied to beside each reply, and in groups with the number of the speaker before each message. */
export function withQuotes(history: HistoryMessage[]): HistoryMessage[] {
  const names = speakersOf(history)
  return history.map((message) => withSpeaker(withQuote(message), names))
}

/** Whose number is whose. A name is what anybody likes to call themselves, so that it is given as data. None where nobody is named. */
export function speakerNames(history: HistoryMessage[]): DataBlock[] {
  const names = speakersOf(history)
  if (names.length === 0) return []
  const text = names.map((name, at) => `${labelOf(at)}: ${name.replace(/\s+/g, ' ').trim()}`).join('\n')
  return [{ title: 'Names of the people who write in this group', text }]
}

/** "And this one?" is searched for together with what it is about. */
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

/** Each once, in the order in which they first spoke. */
function speakersOf(history: HistoryMessage[]): string[] {
  return [...new Set(history.flatMap(({ speaker }) => speaker || []))]
}

function labelOf(at: number): string {
  return `Person ${at + 1}`
}
