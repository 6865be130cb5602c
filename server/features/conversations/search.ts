// Finding conversations by words. Row-level security keeps the index of words from being used: a condition that could tell of rows before
// the policy has judged them may not choose them. So the words are looked up over all organizations, the organization being one of the
// words, which gives ids only; what the caller sees is then read behind the wall (decision 31).
import type { Database, OrgStoreContext } from '#server/db/database.ts'
import type { ContactHit } from '#shared/contacts.ts'
import type { ConversationFilter, ConversationHits } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { CONTACTS_FOUND_MAX, SEARCH_HITS_MAX } from '#shared/limits.ts'
import { fewTagged, type Passing } from './inbox.store.ts'
import { findIdentified, listStanding } from './people.store.ts'
import { nameQuery, toPieces } from './search.rules.ts'
import type { FoundMessage } from './search.store.ts'
import * as store from './search.store.ts'

const MOST = SEARCH_HITS_MAX + 1

/**
 * Of the conversations that pass a filter, those with the newest messages that hold all words, in any form of them, and those of customers
 * whose names begin so.
 */
export async function findByWords(
  database: Database,
  organizationId: Id<'organizations'>,
  typed: string,
  filter: ConversationFilter,
): Promise<ConversationHits> {
  const { named, said } = await find(database, organizationId, typed, filter)
  const excerpts = await database.organization(
    organizationId,
    (db) => store.readExcerpts({ db, organizationId }, said.messages, typed),
    { readOnly: true },
  )
  const known = new Map(excerpts.map((excerpt) => [excerpt.conversationId, excerpt]))
  const ids = [...new Set([...named.ids, ...said.messages.map(({ conversationId }) => conversationId)])]
  const hits = ids.slice(0, SEARCH_HITS_MAX).map((conversationId) => {
    const excerpt = known.get(conversationId)
    return { conversationId, messageId: excerpt?.messageId ?? null, excerpt: excerpt ? toPieces(excerpt.text) : null }
  })
  return { hits, isCut: named.isCut || said.isCut || ids.length > SEARCH_HITS_MAX }
}

/** Contacts by the beginnings of their names and by exactly what a channel knows them by: whoever stands for the person, each once. */
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
          (db) => store.findContacts({ db, organizationId }, names, CONTACTS_FOUND_MAX),
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

function find(database: Database, organizationId: Id<'organizations'>, typed: string, filter: ConversationFilter) {
  return database.system(
    'inbox: search',
    async (db) => {
      const ctx = { db, organizationId }
      const passing = { filter, few: await fewTagged(ctx, filter) }
      const newest = await store.listNewest(ctx, passing)
      const looked = { passing, newest }
      return { named: await findNamed(ctx, typed, looked), said: await findSaid(ctx, typed, looked) }
    },
    { readOnly: true },
  )
}

/** What passes, and of that the conversations that were last spoken in. */
type Looked = { passing: Passing; newest: store.Newest[] }

/** A usual name is soon found among the customers who wrote last; a rare one has few entries in the index. */
async function findNamed(ctx: OrgStoreContext, typed: string, { passing, newest }: Looked): Promise<Named> {
  const names = nameQuery(typed)
  if (names === null) return { ids: [], isCut: false }
  const { ids, isMore } = store.within(newest, store.WINDOWS[1])
  const recent = await store.findNamedAmong(ctx, ids, names)
  if (!isMore || recent.length >= store.ENOUGH) return { ids: recent, isCut: isMore }
  return { ids: await store.findNamed(ctx, names, passing, MOST), isCut: false }
}

/** `isCut`: older conversations were not looked at. */
type Named = { ids: Id<'conversations'>[]; isCut: boolean }

/**
 * Where few conversations pass, they are read. Of many, a usual word is soon found in what was said last, and the more seldom it is there,
 * the further that is looked through; a rare one has few entries in the index. None of them reads many messages.
 */
async function findSaid(ctx: OrgStoreContext, typed: string, { passing, newest }: Looked): Promise<Said> {
  if (!(await store.hasWords(ctx, typed))) return { messages: [], isCut: false }
  for (const window of store.WINDOWS) {
    const { ids, isMore, isRead } = store.within(newest, window)
    const messages = await store.findRecent(ctx, typed, { ids, isWhole: isRead, most: MOST })
    if (isRead) return { messages, isCut: false }
    if (messages.length >= store.ENOUGH) return { messages, isCut: true }
    if (messages.length < window.usual) break
    if (window === store.WINDOWS[1] && isMore) return { messages, isCut: true }
  }
  return { messages: await store.findIndexed(ctx, typed, passing, MOST), isCut: false }
}

/** `isCut`: older messages were not looked at. */
type Said = { messages: FoundMessage[]; isCut: boolean }
