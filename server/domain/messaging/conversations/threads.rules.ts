// Which of several conversations can be shown as one: those of one person, as many as a thread may hold.

import type { ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import type { Refused } from '#shared/messaging/conversations.ts'

/** A conversation that may be merged, its row locked. `personId`: the contact that stands for its person. */
export type Mergeable = {
  id: Id<'conversations'>
  folder: 'inbox' | 'archived' | 'deleted'
  customerId: Id<'customers'> | null
  personId: Id<'customers'> | null
  threadId: Id<'threads'> | null
}

/** The contact with most of these conversations that can be merged; of two with as many, the one that is named first. */
export function contactOfMost(wanted: Id<'conversations'>[], held: Mergeable[]): Id<'customers'> | null {
  const counts = new Map<Id<'customers'>, number>()
  const known = new Map(held.map((each) => [each.id, each]))
  for (const id of wanted) {
    const { personId, folder } = known.get(id) ?? {}
    if (personId && folder !== 'deleted') counts.set(personId, (counts.get(personId) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? null
}

/**
 * Divides conversations into those that are merged, with all that is shown as one with them already, and the others with the reasons.
 * @param person all contacts of the one whose conversations are merged
 */
export function divide(
  wanted: Id<'conversations'>[],
  held: Mergeable[],
  person: Id<'customers'>[],
): { merged: Mergeable[]; refused: Refused[] } {
  const groupOf = groups(held)
  const contacts = new Set(person)
  const merged = new Set<Mergeable>()
  const refused: Refused[] = []
  for (const id of wanted) {
    const group = groupOf(id)
    const error = refusalOf(group, contacts) ?? tooLong(merged, group)
    if (error) refused.push({ conversationId: id, error })
    else for (const each of group) merged.add(each)
  }
  return { merged: [...merged], refused }
}

/** A conversation with all that is shown as one with it; empty for one that does not exist. */
function groups(held: Mergeable[]): (id: Id<'conversations'>) => Mergeable[] {
  const known = new Map(held.map((each) => [each.id, each]))
  const threads = Map.groupBy(held, (each) => each.threadId)
  return (id) => {
    const own = known.get(id)
    if (!own) return []
    return own.threadId ? (threads.get(own.threadId) ?? []) : [own]
  }
}

function refusalOf(group: Mergeable[], person: Set<Id<'customers'>>): ErrorCode | null {
  if (group.length === 0) return 'not_found'
  if (group.some(({ folder }) => folder === 'deleted')) return 'conversation_deleted'
  return group.every(({ customerId }) => customerId !== null && person.has(customerId)) ? null : 'several_contacts'
}

function tooLong(merged: Set<Mergeable>, group: Mergeable[]): ErrorCode | null {
  const more = group.filter((each) => !merged.has(each)).length
  return merged.size + more > THREAD_MAX ? 'thread_too_long' : null
}
