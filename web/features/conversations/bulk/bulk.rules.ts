// Many conversations changed at once: in which portions, what became of it, and how it is taken back.

import type { Id } from '#shared/ids.ts'
import type { Bulk } from '#shared/messaging/conversations.ts'

type ConversationId = Id<'conversations'>
/** What is told of a conversation before a step, for all steps alike. */
export type Ticketed = { ticket: string | null }
/** Conversations of one call: few enough for a bar that moves, and for a press of Cancel that stops something. */
const PORTION = 100

/** In the order given. */
export function portionsOf<Item>(ids: Item[]): Item[][] {
  return Array.from({ length: Math.ceil(ids.length / PORTION) }, (_, index) =>
    ids.slice(index * PORTION, (index + 1) * PORTION),
  )
}

/** What has failed, with why; the others were changed, or were so already. */
export function failuresOf<Before>(results: Bulk<Before>) {
  return results.flatMap(({ conversationId, error }) => (error === null ? [] : [{ conversationId, error }]))
}

/**
 * With which steps are taken back, of each conversation together; of those that were so already there is none. What is shown as one is
 * changed as one, so that a later portion may change a conversation anew that an earlier one has changed.
 */
export function ticketsOf(results: Bulk<Ticketed>): string[][] {
  const tickets = new Map<ConversationId, string[]>()
  for (const { conversationId, error, before } of results) {
    if (error !== null || !before?.ticket) continue
    tickets.set(conversationId, [...(tickets.get(conversationId) ?? []), before.ticket])
  }
  return [...tickets.values()]
}
