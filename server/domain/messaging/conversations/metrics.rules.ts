// How long a customer waited for each answer.
import type { MessageAuthor } from '#shared/messaging/conversations.ts'

type TimedMessage = { author: MessageAuthor; at: number }

/**
 * Waits from the first unanswered message of a customer to the next answer, by the agent or by an operator; milliseconds, in order.
 * A question that is still open is no wait, and a message without a question before it (a follow-up) ends none.
 */
export function waits(messages: TimedMessage[]): number[] {
  const waited: number[] = []
  let since: number | null = null
  for (const { author, at } of messages) {
    if (author === 'customer') since ??= at
    else if (since !== null && author !== 'system') {
      waited.push(at - since)
      since = null
    }
  }
  return waited
}

/** The median of some numbers, the mean of the middle two; null of none. */
export function medianOf(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : Math.round((lower + upper) / 2)
}
