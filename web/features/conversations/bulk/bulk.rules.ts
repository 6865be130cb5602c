// Bulk changes of conversations: how they are split into portions, their results, and how they are undone.

import type { Id } from '#shared/ids.ts'
import type { Bulk } from '#shared/messaging/conversations.ts'

type ConversationId = Id<'conversations'>
/** The state of a conversation before a change, common to all changes. */
export type Ticketed = { ticket: string | null }
/** Conversations per call: small enough for a moving progress bar, and for Cancel to stop something. */
const PORTION = 100

/** Keeps the order of `ids`. */
export function portionsOf<Item>(ids: Item[]): Item[][] {
  return Array.from({ length: Math.ceil(ids.length / PORTION) }, (_, index) =>
    ids.slice(index * PORTION, (index + 1) * PORTION),
  )
}

/** The failures with their error codes; the others were changed, or needed no change. */
export function failuresOf<Before>(results: Bulk<Before>) {
  return results.flatMap(({ conversationId, error }) => (error === null ? [] : [{ conversationId, error }]))
}

/**
 * Undo tickets, grouped by conversation; conversations that needed no change have none. Merged conversations are changed as one, so a later
 * portion may change a conversation again that an earlier one has changed.
 */
export function ticketsOf(results: Bulk<Ticketed>): string[][] {
  const tickets = new Map<ConversationId, string[]>()
  for (const { conversationId, error, before } of results) {
    if (error !== null || !before?.ticket) continue
    tickets.set(conversationId, [...(tickets.get(conversationId) ?? []), before.ticket])
  }
  return [...tickets.values()]
}
