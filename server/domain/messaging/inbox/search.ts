// Finding conversations by words. Row-level security keeps the text index from being used: a condition that could reveal rows before
// the policy is applied may not choose them. So the words are looked up over all organizations, the organization being one of the
// words, which yields ids only; what the caller sees is then read under the policy (docs/internals/inbox.md).
import type { Database, OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { CONTACTS_FOUND_MAX, SEARCH_HITS_MAX } from '#shared/limits.ts'
import type { ContactHit } from '#shared/messaging/contacts.ts'
import type { ConversationFilter, ConversationHits } from '#shared/messaging/conversations.ts'
import { findIdentified, listStanding } from '../customers/people.store.ts'
import { type CursorPosition, cursorOf, fewTagged, type Passing } from './inbox.store.ts'
import { idBeginnings, nameQuery, toPieces } from './search.rules.ts'
import type { FoundMessage } from './search.store.ts'
import * as store from './search.store.ts'

const MOST = SEARCH_HITS_MAX + 1

/**
 * Of the conversations that pass a filter, those whose messages contain all words, in any form of them, and those of customers whose names
 * begin so: a page of them, by the time of their last message, newest first.
 *
 * @param cursor of the page before; null: the first
 * @throws InvalidCursor
 */
export async function findByWords(
  database: Database,
  organizationId: Id<'organizations'>,
  typed: string,
  { cursor, ...filter }: ConversationFilter & { cursor: string | null },
): Promise<ConversationHits> {
  const { named, matching } = await find(database, organizationId, typed, { filter, cursor })
  const { ids, through } = pageOf([named, matching])
  const shown = new Set(ids)
  const messages = matching.found.filter(({ id }) => shown.has(id))
  const excerpts = await database.organization(
    organizationId,
    (db) => store.readExcerpts({ db, organizationId }, messages, typed),
    { readOnly: true },
  )
  const known = new Map(excerpts.map((excerpt) => [excerpt.conversationId, excerpt]))
  const hits = ids.map((conversationId) => {
    const excerpt = known.get(conversationId)
    return { conversationId, messageId: excerpt?.messageId ?? null, excerpt: excerpt ? toPieces(excerpt.text) : null }
  })
  return { hits, isPartial: matching.isPartial, continueCursor: through && cursorOf(through) }
}

/** As far as every part is complete, and no more than are returned at once. */
function pageOf(parts: Part<CursorPosition>[]): { ids: Id<'conversations'>[]; through: CursorPosition | null } {
  const [nearest = null] = parts.flatMap(({ through }) => through ?? []).sort(byPosition)
  const positions = [...new Map(parts.flatMap(({ found }) => found.map((each) => [each.id, each]))).values()].sort(
    byPosition,
  )
  const reached = positions.filter((each) => nearest === null || byPosition(each, nearest) <= 0)
  const { found, through } = upToMost(reached, nearest)
  return { ids: found.map(({ id }) => id), through }
}

/** Drops the surplus hit, if there is one: then the hits are complete through the last that is kept. */
function upToMost<Found extends CursorPosition>(
  found: Found[],
  through: CursorPosition | null,
): { found: Found[]; through: CursorPosition | null } {
  if (found.length <= SEARCH_HITS_MAX) return { found, through }
  const some = found.slice(0, SEARCH_HITS_MAX)
  return { found: some, through: some.at(-1) ?? null }
}

/** By the last message, newest first. */
function byPosition(one: CursorPosition, other: CursorPosition): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1
}

/** Contacts by the beginnings of their names and by exactly what a channel knows them by: the one that stands for the person, each once. */
export async function findContactsBy(
  database: Database,
  organizationId: Id<'organizations'>,
  typed: string,
): Promise<ContactHit[]> {
  const names = nameQuery(typed)
  const named =
    names === null
      ? []
      : await database.system(
          'contacts: search',
          (db) =>
            store.findContacts({ db, organizationId }, { names, beginnings: idBeginnings(typed) }, CONTACTS_FOUND_MAX),
          { readOnly: true },
        )
  return database.organization(
    organizationId,
    async (db) => {
      const ctx = { db, organizationId }
      const identified = await findIdentified(ctx, typed.replace(/^[@+]/, ''), CONTACTS_FOUND_MAX)
      return (await listStanding(ctx, [...identified, ...named])).slice(0, CONTACTS_FOUND_MAX)
    },
    { readOnly: true },
  )
}

type Asked = Pick<Passing, 'filter' | 'cursor'>

function find(database: Database, organizationId: Id<'organizations'>, typed: string, { filter, cursor }: Asked) {
  return database.system(
    'inbox: search',
    async (db) => {
      const ctx = { db, organizationId }
      const passing = { filter, cursor, few: await fewTagged(ctx, filter) }
      const newest = await store.listNewest(ctx, passing)
      const looked = { passing, newest }
      return { named: await findNamed(ctx, typed, looked), matching: await findMatching(ctx, typed, looked) }
    },
    { readOnly: true },
  )
}

/** What passes, and the conversations with the newest messages among it. */
type Looked = { passing: Passing; newest: store.Newest[] }
/** What was found, and the position through which it is complete; null: through the last that passes. */
type Part<Found> = { found: Found[]; through: CursorPosition | null }

/** A common name is soon found among the customers who wrote last; a rare one has few entries in the index. */
async function findNamed(
  ctx: OrgStoreContext,
  typed: string,
  { passing, newest }: Looked,
): Promise<Part<CursorPosition>> {
  const names = nameQuery(typed)
  if (names === null) return { found: [], through: null }
  const by = { names, beginnings: idBeginnings(typed) }
  const { ids, through } = store.within(newest, store.WINDOWS[1])
  const recent = await store.findNamedAmong(ctx, ids, by)
  if (through === null || recent.length >= store.ENOUGH) return upToMost(recent, through)
  return upToMost(await store.findNamed(ctx, by, passing, MOST), null)
}

/** `isPartial`: of long conversations only recent messages were searched. */
type MatchingPart = Part<FoundMessage> & { isPartial: boolean }

/**
 * Where few conversations pass, they are read. Of many, a common word is soon found in recent messages, and the rarer it is there, the
 * further back they are searched; a very rare one has few entries in the index. None of these reads many messages.
 */
async function findMatching(ctx: OrgStoreContext, typed: string, { passing, newest }: Looked): Promise<MatchingPart> {
  if (!(await store.hasWords(ctx, typed))) return { found: [], through: null, isPartial: false }
  for (const window of store.WINDOWS) {
    const { ids, through, isRead } = store.within(newest, window)
    const found = await store.findRecent(ctx, typed, { ids, isWhole: isRead, most: MOST })
    if (isRead) return { ...upToMost(found, null), isPartial: false }
    if (found.length >= store.ENOUGH) return { ...upToMost(found, through), isPartial: true }
    if (found.length < window.usual) break
    if (window === store.WINDOWS[1] && through) return { ...upToMost(found, through), isPartial: true }
  }
  return { ...upToMost(await store.findIndexed(ctx, typed, passing, MOST), null), isPartial: false }
}
