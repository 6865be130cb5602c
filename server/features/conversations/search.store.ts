// SQL of finding conversations by words (see search.ts). Everything but the excerpts is asked over all organizations.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { MARKS } from './search.rules.ts'

export type FoundMessage = { conversationId: Id<'conversations'>; sequence: number }
export type Excerpt = { conversationId: Id<'conversations'>; messageId: Id<'messages'>; text: string }

/** Conversations, and messages of each, among which a usual word is looked for before the index is asked. */
const RECENT_CONVERSATIONS = 200
const RECENT_MESSAGES = 15
/** Conversations with so usual a word that its entries in the index would be too many to sort. */
export const ENOUGH_RECENT = 50

/** Whether anything of what was typed can be found: words such as "and" and "in" are in no index. */
export async function hasWords(ctx: StoreContext, typed: string): Promise<boolean> {
  const { rows } = await sql<{ nodes: number }>`
    select numnode(plainto_tsquery('russian', ${typed})) as nodes`.execute(ctx.db)
  return (rows[0]?.nodes ?? 0) > 0
}

/** Conversations of customers with such a name, and of contacts that are one with them, the one with the newest message first. */
export async function findNamed(ctx: OrgStoreContext, names: string, most: number): Promise<Id<'conversations'>[]> {
  const { rows } = await sql<{ id: Id<'conversations'> }>`
    with named as materialized (${named(ctx, names, most)}), whoever as (
      select id from named
      union
      select m.id from named join customers m on m.person_id = named.id and m.organization_id = ${ctx.organizationId}
    )
    select c.id from whoever join conversations c on c.organization_id = ${ctx.organizationId} and c.customer_id = whoever.id
    where c.channel <> 'test' order by c.last_message_at desc limit ${most}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Contacts with such a name. */
export async function findContacts(ctx: OrgStoreContext, names: string, most: number): Promise<Id<'customers'>[]> {
  const { rows } = await named(ctx, names, most).execute(ctx.db)
  return rows.map(({ id }) => id)
}

function named(ctx: OrgStoreContext, names: string, most: number) {
  return sql<{ id: Id<'customers'> }>`
    select id from customers
    where (array_to_tsvector(array['@' || organization_id])
        || to_tsvector('simple', coalesce(given_name, '') || ' ' || name || ' ' || coalesce(username, '')))
      @@ (${organizationWord(ctx)}::tsquery && to_tsquery('simple', ${names}))
    limit ${most}`
}

/** Of the conversations that were last spoken in, those in which the words were lately said. */
export async function findRecent(ctx: OrgStoreContext, typed: string, most: number): Promise<FoundMessage[]> {
  const { rows } = await sql<FoundMessage>`
    select c.id as "conversationId", max(m.sequence)::float8 as sequence
    from (select id, last_message_at from conversations
      where organization_id = ${ctx.organizationId} and place = 'inbox' and channel <> 'test'
      order by last_message_at desc, id desc limit ${RECENT_CONVERSATIONS}) c,
    lateral (select sequence, text, author, status from messages
      where organization_id = ${ctx.organizationId} and conversation_id = c.id
      order by sequence desc limit ${RECENT_MESSAGES}) m
    where m.author <> 'system' and m.status <> 'streaming'
      and to_tsvector('russian', m.text) @@ plainto_tsquery('russian', ${typed})
    group by c.id, c.last_message_at order by c.last_message_at desc limit ${most}`.execute(ctx.db)
  return rows
}

/** All conversations in which the words were said, those in which it was last first. */
export async function findIndexed(ctx: OrgStoreContext, typed: string, most: number): Promise<FoundMessage[]> {
  const { rows } = await sql<FoundMessage>`
    with found as materialized (
      select organization_id, conversation_id, sequence from messages
      where (array_to_tsvector(array['@' || organization_id]) || to_tsvector('russian', text))
          @@ (${organizationWord(ctx)}::tsquery && plainto_tsquery('russian', ${typed}))
        and author <> 'system' and status <> 'streaming'
    ), newest as (
      select conversation_id, max(sequence) as sequence from found
      where organization_id = ${ctx.organizationId} group by conversation_id order by 2 desc limit ${2 * most}
    )
    select conversation_id as "conversationId", sequence::float8 from newest
      join conversations c on c.organization_id = ${ctx.organizationId} and c.id = newest.conversation_id
    where c.channel <> 'test' order by sequence desc limit ${most}`.execute(ctx.db)
  return rows
}

/** What was said in these messages around the words, which carry marks. */
export async function readExcerpts(ctx: OrgStoreContext, messages: FoundMessage[], typed: string): Promise<Excerpt[]> {
  const options = `StartSel=${MARKS.start}, StopSel=${MARKS.stop}, MaxWords=16, MinWords=8`
  const { rows } = await sql<Excerpt>`
    select m.conversation_id as "conversationId", m.id as "messageId",
      ts_headline('russian', m.text, plainto_tsquery('russian', ${typed}), ${options}) as text
    from unnest(${messages.map((message) => message.conversationId)}::text[], ${messages.map((message) => message.sequence)}::bigint[])
        as found (conversation_id, sequence)
      join messages m on m.organization_id = ${ctx.organizationId} and m.conversation_id = found.conversation_id
        and m.sequence = found.sequence`.execute(ctx.db)
  return rows
}

/** As the indexes of words hold it. */
function organizationWord({ organizationId }: OrgStoreContext): string {
  return `'@${organizationId}'`
}
