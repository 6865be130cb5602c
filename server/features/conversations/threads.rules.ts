// Which of several conversations can be shown as one: those of one person, as many as a thread may hold.
import type { Refused } from '#shared/conversations.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { THREAD_MAX } from '#shared/limits.ts'

/** A conversation that may be merged, its row held. `personId`: the contact that stands for whom it is with. */
export type Mergeable = {
  id: Id<'conversations'>
  place: 'inbox' | 'archived' | 'deleted'
  customerId: Id<'customers'> | null
  personId: Id<'customers'> | null
  threadId: Id<'threads'> | null
}

/** The contact with whom most of these conversations are that can be merged; of two with as many, the one that is named first. */
export function contactOfMost(wanted: Id<'conversations'>[], held: Mergeable[]): Id<'customers'> | null {
  const counts = new Map<Id<'customers'>, number>()
  for (const id of wanted) {
    const { personId, place } = held.find((each) => each.id === id) ?? {}
    if (personId && place !== 'deleted') counts.set(personId, (counts.get(personId) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? null
}

/**
 * Divides conversations into those that are merged, with all that is shown as one with them already, and those that are not, with why.
 * @param person all contacts of the one whose conversations are merged
 */
export function divide(
  wanted: Id<'conversations'>[],
  held: Mergeable[],
  person: Id<'customers'>[],
): { merged: Mergeable[]; refused: Refused[] } {
  let merged: Mergeable[] = []
  const refused: Refused[] = []
  for (const id of wanted) {
    const own = held.find((each) => each.id === id)
    const group = held.filter((each) => each === own || (own?.threadId && each.threadId === own.threadId))
    const together = [...new Set([...merged, ...group])]
    const error = refusalOf(group, together, person)
    if (error) refused.push({ conversationId: id, error })
    else merged = together
  }
  return { merged, refused }
}

function refusalOf(group: Mergeable[], together: Mergeable[], person: Id<'customers'>[]): ErrorCode | null {
  if (group.length === 0) return 'not_found'
  if (group.some(({ place }) => place === 'deleted')) return 'conversation_deleted'
  if (!group.every(({ customerId }) => customerId !== null && person.includes(customerId))) return 'several_contacts'
  return together.length > THREAD_MAX ? 'thread_too_long' : null
}
