// Many conversations changed at once: in which portions, what became of it, and how it is taken back.
import type { Bulk, StatusBefore } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'

type ConversationId = Id<'conversations'>
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
 * What was changed, together with what was the same before: each group is taken back with one call. What is shown as one is changed as one,
 * so that a later portion may tell of a conversation that an earlier one has changed: what it was before that counts.
 */
export function groupsBefore<Before>(results: Bulk<Before>): { before: Before; ids: ConversationId[] }[] {
  const groups = new Map<string, { before: Before; ids: ConversationId[] }>()
  const known = new Set<ConversationId>()
  for (const { conversationId, error, before } of results) {
    if (error !== null || known.has(conversationId)) continue
    known.add(conversationId)
    const key = JSON.stringify(before)
    const group = groups.get(key)
    if (group) group.ids.push(conversationId)
    else groups.set(key, { before: before as Before, ids: [conversationId] }) // null is a state of its own: nobody's
  }
  return [...groups.values()]
}

/** With which steps between states are taken back; of conversations that were so already there is none. */
export function ticketsOf(results: Bulk<StatusBefore>): string[] {
  return results.flatMap(({ error, before }) => (error === null && before?.ticket ? [before.ticket] : []))
}
