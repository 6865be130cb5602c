// SQL of asking customers for a rating in their channel, and of taking it from their answer. When it is asked stands with the
// conversation; the trigger of 071-ratings takes the moment, and the question, away when the conversation goes on.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/db/database.ts'
import type { Channel } from '#shared/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { Chat } from './notices.store.ts'

/** Asked in one look; the next one takes the rest. */
const BATCH = 100
/** For so long a number is an answer, and words may be what is said to it. */
const ANSWER_HOURS = 24
/** Messages of the customer from which their language is read. */
const WORDS = 5

type ConversationId = Id<'conversations'>

export type Rated = Chat & {
  agentId: Id<'agents'>
  channel: Exclude<Channel, 'test'>
  /** There is a way to them, and they have not closed it. */
  isReachable: boolean
  /** A tag, as the customer's messenger names it. */
  language: string | null
  /** What the customer said last, oldest first. */
  words: string[]
}

/** Those who are to be asked now. */
export async function listToAsk(
  ctx: StoreContext,
): Promise<{ id: ConversationId; organizationId: Id<'organizations'> }[]> {
  return ctx.db
    .selectFrom('conversations')
    .where('rating_ask_at', '<=', sql<Date>`now()`)
    .select(['id', 'organization_id as organizationId'])
    .orderBy('rating_ask_at')
    .limit(BATCH)
    .execute()
}

/** Holds a conversation until the transaction ends, and takes the moment away. Undefined when it is not to be asked any more. */
export async function holdToAsk(ctx: OrgStoreContext, id: ConversationId): Promise<Rated | undefined> {
  const held = await sql`update conversations set rating_ask_at = null
    where organization_id = ${ctx.organizationId} and id = ${id} and rating_ask_at <= now()
    returning status = 'ended' and place <> 'deleted' as "isAsked"`.execute(ctx.db)
  const [row] = held.rows as { isAsked: boolean }[]
  return row?.isAsked ? readRated(ctx, id) : undefined
}

/** A conversation that is held by the caller. */
export async function readRated(ctx: OrgStoreContext, id: ConversationId): Promise<Rated | undefined> {
  const { rows } = await sql<Rated>`
    select c.agent_id as "agentId", c.channel, c.connection_id as "connectionId", c.external_chat_id as "chatId", u.language,
      n.id is not null and n.disconnected_at is null and c.external_chat_id is not null and coalesce((
        select o.status <> 'failed' or o.error is null or o.error not like 'blocked%' from outbox o
        where o.organization_id = c.organization_id and o.conversation_id = c.id order by o.sequence desc limit 1), true) as "isReachable",
      array(select said.text from (
        select m.text, m.sequence from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
          and m.author = 'customer' order by m.sequence desc limit ${WORDS}::int) said order by said.sequence) as words
    from conversations c
    left join channel_connections n on n.organization_id = c.organization_id and n.id = c.connection_id
    left join customers u on u.organization_id = c.organization_id and u.id = c.customer_id
    where c.organization_id = ${ctx.organizationId} and c.id = ${id}`.execute(ctx.db)
  return rows[0]
}

/** The question was asked, and is not asked again about what was said so far. */
export async function noteAsked(ctx: OrgStoreContext, id: ConversationId, messageId: Id<'messages'>): Promise<void> {
  await sql`update conversations c set rating_asked_at = now(), rating_asked_through = m.sequence from messages m
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and m.organization_id = c.organization_id and m.id = ${messageId}`.execute(
    ctx.db,
  )
}

/** The conversation of a chat whose customer was asked for a rating and has said nothing since; held until the transaction ends. */
export async function holdAsked(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  chatId: string,
): Promise<ConversationId | null> {
  const { rows } = await sql<{ id: ConversationId }>`
    select id from conversations
    where organization_id = ${ctx.organizationId} and connection_id = ${connectionId} and external_chat_id = ${chatId}
      and status = 'ended' and place <> 'deleted' and rating_asked_at > now() - ${ANSWER_HOURS}::int * interval '1 hour'
    for update`.execute(ctx.db)
  return rows[0]?.id ?? null
}

/**
 * Takes the message that was just stored as a rating: the conversation stays ended, and the turn that the message has brought goes. What was
 * open before it stays open.
 */
export async function takeRating(ctx: OrgStoreContext, id: ConversationId, score: number): Promise<void> {
  await sql`delete from turns where organization_id = ${ctx.organizationId} and conversation_id = ${id}
    and status = 'pending' and created_at = now()`.execute(ctx.db)
  await sql`
    with said as (
      select max(sequence) as last, min(sequence) filter (where author = 'customer' and sequence > c.answered_through) as open
      from conversations c join messages m on m.organization_id = c.organization_id and m.conversation_id = c.id
      where c.organization_id = ${ctx.organizationId} and c.id = ${id}
    )
    update conversations set rated_through = said.last, rating_score = ${score}::smallint, rating_comment = null, rated_at = now(),
      status = 'ended', answered_through = case when said.open = said.last then said.last else answered_through end
    from said where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
  await sql`update messages m set reason = 'rating' from conversations c
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and m.organization_id = c.organization_id
      and m.conversation_id = c.id and m.sequence = c.rated_through`.execute(ctx.db)
  await sql`update conversations set rating_comment_until = now() + ${ANSWER_HOURS}::int * interval '1 hour'
    where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
}
