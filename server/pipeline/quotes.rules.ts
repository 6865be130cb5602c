// Messages as messengers have them, as a model reads them: what a customer replies to, and who of a group speaks. Pure.
import type { HistoryMessage } from './turn.store.ts'

/** The history with what is replied to beside each reply, and in groups with the speaker before each message. */
export function withQuotes(history: HistoryMessage[]): HistoryMessage[] {
  return history.map((message) => withSpeaker(withQuote(message)))
}

/** "And this one?" is searched for together with what it is about. */
function withQuote(message: HistoryMessage): HistoryMessage {
  const { quoted, text, subject = text, data = [] } = message
  if (!quoted) return message
  const block = { title: 'The earlier message to which this one replies', text: quoted }
  return { ...message, subject: `${quoted}\n${subject}`, data: [...data, block] }
}

function withSpeaker(message: HistoryMessage): HistoryMessage {
  const { speaker, text, subject = text } = message
  return speaker ? { ...message, subject, text: `${speaker}: ${text}` } : message
}
