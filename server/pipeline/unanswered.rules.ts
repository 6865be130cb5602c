// Which words of the customer a turn is about.
import type { Turn } from './turn.ts'

/** What the customer has said since the last answer, oldest first. */
export function unanswered(turn: Pick<Turn, 'history' | 'conversation'>): Turn['history'] {
  return turn.history.filter(
    (message) => message.author === 'customer' && message.sequence > turn.conversation.answeredThrough,
  )
}
