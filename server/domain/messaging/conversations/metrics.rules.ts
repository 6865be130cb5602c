// How long a customer waited for each answer.
import type { MessageAuthor } from '#shared/messaging/conversations.ts'

type Said = { author: MessageAuthor; at: number }

/**
 * From the first thing that a customer said, and that nobody had answered, to the next answer, whoever gave it; milliseconds, in order.
 * What nobody has answered is no answer, and what is said without a question (a follow-up) is none either.
 */
export function waits(said: Said[]): number[] {
  const waited: number[] = []
  let since: number | null = null
  for (const { author, at } of said) {
    if (author === 'customer') since ??= at
    else if (since !== null && author !== 'system') {
      waited.push(at - since)
      since = null
    }
  }
  return waited
}

/** The middle of some numbers, of two the mean; null of none. */
export function medianOf(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : Math.round((lower + upper) / 2)
}
