// Which words of the customer a turn is about.
import type { Turn } from '../../turn.ts'

/** The customer's messages since the last answer, oldest first. */
export function unanswered(turn: Pick<Turn, 'history' | 'conversation'>): Turn['history'] {
  return turn.history.filter(
    (message) => message.author === 'customer' && message.sequence > turn.conversation.answeredThrough,
  )
}
