// Finding conversations by words. Row-level security keeps the index of words from being used: a condition that could tell of rows before
// the policy has judged them may not choose them. So the words are looked up over all organizations, the organization being one of the
// words, which gives ids only; what the caller sees is then read behind the wall (decision 31).
import type { Database } from '#server/db/database.ts'
import type { ContactHit } from '#shared/contacts.ts'
import type { ConversationHits } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { CONTACTS_FOUND_MAX, SEARCH_HITS_MAX } from '#shared/limits.ts'
import { findIdentified, listStanding } from './people.store.ts'
import { nameQuery, toPieces } from './search.rules.ts'
import * as store from './search.store.ts'

const MOST = SEARCH_HITS_MAX + 1

/** The conversations with the newest messages that hold all words, in any form of them, and those of customers whose names begin so. */
export async function findByWords(
  database: Database,
  organizationId: Id<'organizations'>,
  typed: string,
): Promise<ConversationHits> {
  const found = await find(database, organizationId, typed)
  const excerpts = await database.organization(
    organizationId,
    (db) => store.readExcerpts({ db, organizationId }, found.messages, typed),
    { readOnly: true },
  )
  const known = new Map(excerpts.map((excerpt) => [excerpt.conversationId, excerpt]))
  const ids = [...new Set([...found.named, ...found.messages.map(({ conversationId }) => conversationId)])]
  const hits = ids.slice(0, SEARCH_HITS_MAX).map((conversationId) => {
    const said = known.get(conversationId)
    return { conversationId, messageId: said?.messageId ?? null, excerpt: said ? toPieces(said.text) : null }
  })
  return { hits, isCut: ids.length > SEARCH_HITS_MAX }
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

/** A usual word is soon found in what was said last; a rare one has few entries in the index. Neither reads many messages. */
function find(database: Database, organizationId: Id<'organizations'>, typed: string) {
  return database.system(
    'inbox: search',
    async (db) => {
      const names = nameQuery(typed)
      const named = names === null ? [] : await store.findNamed({ db, organizationId }, names, MOST)
      if (!(await store.hasWords({ db }, typed))) return { named, messages: [] }
      const recent = await store.findRecent({ db, organizationId }, typed, MOST)
      const isEnough = recent.length >= store.ENOUGH_RECENT
      return { named, messages: isEnough ? recent : await store.findIndexed({ db, organizationId }, typed, MOST) }
    },
    { readOnly: true },
  )
}
