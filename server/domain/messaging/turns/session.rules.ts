// Sessions: after a silence as long as the connection's setting, the agent does not receive the messages before it. Pure.
import type { HistoryMessage, Turn } from './turn.ts'

const MINUTE_MS = 60_000

/** The turn with only the messages since the last long silence. Unanswered messages are never left out. */
export function withinSession(turn: Turn): Turn {
  const minutes = turn.connection?.settings?.sessionMinutes ?? null
  const from = minutes === null ? 0 : Math.max(0, beginning(turn, minutes * MINUTE_MS))
  const first = turn.history[from]
  if (from === 0 || !first) return turn
  const { conversation } = turn
  const isOfBefore = conversation.summaryThrough < first.sequence
  return {
    ...turn,
    history: turn.history.slice(from),
    sessionFrom: first.sequence,
    conversation: { ...conversation, summary: isOfBefore ? null : conversation.summary },
  }
}

/** Index of the last customer message that came after a long silence, up to the first unanswered one. */
function beginning({ history, conversation }: Turn, silenceMs: number): number {
  const open = history.findIndex((message) => isOpen(message, conversation.answeredThrough))
  const last = open < 0 ? history.length - 1 : open
  return history.findLastIndex((message, at) => {
    const before = history[at - 1]
    return at <= last && message.author === 'customer' && before !== undefined && message.at - before.at >= silenceMs
  })
}

function isOpen({ author, sequence }: HistoryMessage, answeredThrough: number): boolean {
  return author === 'customer' && sequence > answeredThrough
}
