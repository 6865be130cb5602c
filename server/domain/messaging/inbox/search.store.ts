// SQL of finding conversations by words (see search.ts). Everything but the excerpts is asked over all organizations.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { inOtherScripts, NUMBER_GAP, phoneDigits } from '#server/platform/lib/text/number-words.ts'
import type { Id } from '#shared/ids.ts'
import { type CursorPosition, type Passing, passingIds } from './inbox.store.ts'
import { evenLetters, MARKS, phoneQuery, writtenNumberQuery } from './search.rules.ts'

/** The newest message of a conversation that contains the words, and its position. */
export type FoundMessage = CursorPosition & { sequence: number }
export type Excerpt = { conversationId: Id<'conversations'>; messageId: Id<'messages'>; text: string }

/**
 * How many conversations are searched for a word before the index is used. `messages`: where no more conversations pass, and they have no
 * more, all of them are read. `usual`: a word that fewer of them contain is rare enough for the index.
 */
export const WINDOWS = [
  { conversations: 200, messages: 6000, usual: 10 },
  { conversations: 1000, messages: 15_000, usual: 0 },
] as const
/** Of each of them, unless all are read. */
const RECENT_MESSAGES = 15
/** With this many hits in recent conversations, older ones are not searched. */
export const ENOUGH = 50
/** Characters of an excerpt on either side of a number. */
const AROUND = 60
/** Where the number is shown it may have slashes too. */
const GAP = NUMBER_GAP.replace('[', '[/')
/** As text, all of the same length, so that they compare as texts too. */
const at = sql<string>`to_char(c.last_message_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`

/** Whether the input can match at all: words such as "and" and "in" are in no index. */
export async function hasWords(ctx: StoreContext, typed: string): Promise<boolean> {
  const { rows } = await sql<{ nodes: number }>`
    select numnode(plainto_tsquery('russian', ${typed})) as nodes`.execute(ctx.db)
  return (rows[0]?.nodes ?? 0) > 0
}

/** What customers are looked for by: a query of their words, and the beginnings of ids. */
export type Named = { names: string; beginnings: string[] }

/** Of these conversations, those of customers with such a name or id. */
export async function findNamedAmong(
  ctx: OrgStoreContext,
  ids: Id<'conversations'>[],
  { names, beginnings }: Named,
): Promise<CursorPosition[]> {
  const { rows } = await sql<CursorPosition>`
    select c.id, ${at} as at from conversations c
      join customers on customers.id = c.customer_id
      left join customers person on person.id = customers.person_id
    where c.organization_id = ${ctx.organizationId} and c.id = any(${ids}::text[]) and customers.organization_id = ${ctx.organizationId}
      and (${namesOf('customers')} @@ to_tsquery('simple', ${names}) or ${namesOf('person')} @@ to_tsquery('simple', ${names})
        or customers.external_id ^@ any(${beginnings}::text[]))
    order by c.last_message_at desc, c.id desc`.execute(ctx.db)
  return rows
}

/** Conversations of customers with such a name, and of contacts that are one with them, the one with the newest message first. */
export async function findNamed(
  ctx: OrgStoreContext,
  by: Named,
  passing: Passing,
  most: number,
): Promise<CursorPosition[]> {
  const { rows } = await sql<CursorPosition>`
    with named as materialized (${named(ctx, by)}), people as (
      select id from named
      union
      select m.id from named join customers m on m.person_id = named.id and m.organization_id = ${ctx.organizationId}
    )
    select c.id, ${at} as at from people join (${passingIds(ctx, passing)}) c on c.customer_id = people.id
    order by c.last_message_at desc, c.id desc limit ${most}`.execute(ctx.db)
  return rows
}

/** Contacts with such a name. */
export async function findContacts(ctx: OrgStoreContext, by: Named, most: number): Promise<Id<'customers'>[]> {
  const { rows } = await sql<{ id: Id<'customers'> }>`${named(ctx, by)} limit ${most}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

function named(ctx: OrgStoreContext, { names, beginnings }: Named) {
  return sql`
    select id from customers
    where (array_to_tsvector(array['@' || organization_id]) || ${namesOf('customers')})
      @@ (${organizationWord(ctx)}::tsquery && to_tsquery('simple', ${names}))
    ${sql.join(
      beginnings.map((digits) => sql`union select id from customers where ${begins(ctx, digits)}`),
      sql` `,
    )}`
}

/** Ids from some digits up to the next that begin otherwise, so that their index is used in any locale. */
function begins({ organizationId }: OrgStoreContext, digits: string) {
  const next = String(BigInt(digits) + 1n).padStart(digits.length, '0')
  const until = next.length === digits.length ? sql`and external_id < ${next}` : sql``
  return sql`organization_id = ${organizationId} and external_id >= ${digits} ${until} and external_id ^@ ${digits}`
}

/** As their index has it. */
function namesOf(table: 'customers' | 'person') {
  const columns = ['given_name', 'name', 'username', 'external_id', 'attributes'].map((name) =>
    sql.ref(`${table}.${name}`),
  )
  return sql`to_tsvector('simple', person_words(${sql.join(columns)}))`
}

/** A conversation, and how many messages it has. */
export type Newest = CursorPosition & { messages: number }

/** The conversations that pass with the newest messages, one more than are searched. */
export async function listNewest(ctx: OrgStoreContext, passing: Passing): Promise<Newest[]> {
  const most = Math.max(...WINDOWS.map(({ conversations }) => conversations)) + 1
  const { rows } = await sql<Newest>`
    select c.id, ${at} as at, c.message_count as messages from (${passingIds(ctx, passing)}) c
    order by c.last_message_at desc, c.id desc limit ${most}`.execute(ctx.db)
  return rows
}

/** The part of them that is searched. `through`: the last of them, where others pass after it; `isRead`: there are none, and these are short. */
export function within(
  newest: Newest[],
  { conversations, messages }: Pick<(typeof WINDOWS)[number], 'conversations' | 'messages'>,
): { ids: Id<'conversations'>[]; through: CursorPosition | null; isRead: boolean } {
  const some = newest.slice(0, conversations)
  const through = newest.length > some.length ? (some.at(-1) ?? null) : null
  const isRead = through === null && some.reduce((sum, each) => sum + each.messages, 0) <= messages
  return { ids: some.map(({ id }) => id), through, isRead }
}

/** Of these conversations, those with messages that contain the words: among recent ones, or in all where a conversation is read whole. */
export async function findRecent(
  ctx: OrgStoreContext,
  typed: string,
  { ids, isWhole, most }: { ids: Id<'conversations'>[]; isWhole: boolean; most: number },
): Promise<FoundMessage[]> {
  const { rows } = await sql<FoundMessage>`
    select c.id, ${at} as at, max(m.sequence)::float8 as sequence
    from unnest(${ids}::text[]) asked (id)
    join conversations c on c.id = asked.id and c.organization_id = ${ctx.organizationId},
    lateral (select sequence, text, author, status from messages
      where organization_id = ${ctx.organizationId} and conversation_id = c.id
      order by sequence desc limit ${isWhole ? null : RECENT_MESSAGES}::int) m
    where m.author <> 'system' and m.status <> 'streaming'
      and to_tsvector('russian', message_words(m.text)) @@ (${wordQuery(typed)})
    group by c.id order by c.last_message_at desc, c.id desc limit ${most}`.execute(ctx.db)
  return rows
}

/** All conversations with messages that contain the words. */
export async function findIndexed(
  ctx: OrgStoreContext,
  typed: string,
  passing: Passing,
  most: number,
): Promise<FoundMessage[]> {
  const { rows } = await sql<FoundMessage>`
    with found as materialized (
      select organization_id, conversation_id, sequence from messages
      where (array_to_tsvector(array['@' || organization_id]) || to_tsvector('russian', message_words(text)))
          @@ (${organizationWord(ctx)}::tsquery && (${wordQuery(typed)}))
        and author <> 'system' and status <> 'streaming'
    ), newest as (
      select conversation_id, max(sequence) as sequence from found
      where organization_id = ${ctx.organizationId} group by conversation_id
    )
    select c.id, ${at} as at, newest.sequence::float8 as sequence from newest
      join (${passingIds(ctx, passing)}) c on c.id = newest.conversation_id
    order by c.last_message_at desc, c.id desc limit ${most}`.execute(ctx.db)
  return rows
}

/** Excerpts of these messages around the words, which are marked. */
export async function readExcerpts(ctx: OrgStoreContext, messages: FoundMessage[], typed: string): Promise<Excerpt[]> {
  const options = `StartSel=${MARKS.start}, StopSel=${MARKS.stop}, MaxWords=16, MinWords=8`
  const { rows } = await sql<Excerpt>`
    select m.conversation_id as "conversationId", m.id as "messageId",
      ${aroundNumber(typed)}ts_headline('russian', m.text, plainto_tsquery('russian', ${typed}), ${options})) as text
    from unnest(${messages.map((message) => message.id)}::text[], ${messages.map((message) => message.sequence)}::bigint[])
        as found (conversation_id, sequence)
      join messages m on m.organization_id = ${ctx.organizationId} and m.conversation_id = found.conversation_id
        and m.sequence = found.sequence`.execute(ctx.db)
  return rows
}

/** The beginning of a `coalesce`: a number in its surroundings, with marks, if one was typed and stands there in any writing. */
function aroundNumber(typed: string) {
  const digits = phoneDigits(typed)
  if (digits === null) return sql`coalesce(`
  const number = [...digits].map((digit) => `[${digit}${inOtherScripts(digit).join('')}]`).join(GAP)
  const marked = String.raw`${MARKS.start}\&${MARKS.stop}`
  return sql`coalesce(regexp_replace(substring(m.text from ${`.{0,${AROUND}}${number}.{0,${AROUND}}`}), ${number}, ${marked}), `
}

/** All of the words in any form, or the number in any writing. */
function wordQuery(typed: string) {
  const words = sql`plainto_tsquery('russian', ${evenLetters(typed)})`
  const number = phoneQuery(typed)
  const numbers = [number, writtenNumberQuery(typed)].filter((query) => query !== null)
  return numbers.length === 0 ? words : sql`${words} || to_tsquery('simple', ${numbers.join(' | ')})`
}

/** As the indexes of words hold it. */
function organizationWord({ organizationId }: OrgStoreContext): string {
  return `'@${organizationId}'`
}
