// SQL of asking customers for a rating in their channel, and of taking it from their answer. When it is asked stands with the
// conversation (see domain/messaging/conversations/ratings.store.ts).
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { PRESENCE_TYPING_MS, RATING_ANSWER_HOURS } from '#shared/limits.ts'
import {
  countRating,
  markComment,
  setComment,
  storeRatingMessage,
} from '../conversations/writes/rating-columns.store.ts'
import { keepStored } from '../inbound/notifications.store.ts'
import type { Chat } from '../turns/notices.store.ts'
import { type Asked, listsByNumber } from './ratings.rules.ts'

/** Asked in one look; the next one takes the rest. */
const BATCH = 100
/** Messages of the customer from which their language is read. */
const WORDS = 5

type ConversationId = Id<'conversations'>

/** Whom a question or thanks go to. */
export type Rater = Chat & {
  agentId: Id<'agents'>
  channel: Exclude<Channel, 'test'>
  /** There is a way to them that works, and they have not closed it. */
  isReachable: boolean
  /** A tag, as the customer's messenger names it. */
  language: string | null
  /** What the customer said last, oldest first. */
  words: string[]
}

/** `isBusy`: somebody of the team is typing to them, or has what is shown as one with it in hand. */
export type ToAsk = Rater & { isWanted: boolean; isTyping: boolean; isTaken: boolean }

/** The message that was stored as a rating. `isFirst`: its question had no answer before. */
export type Taken = { isNew: boolean; isFirst: boolean }

/** A rating as it was given. `externalId`: by which the channel names the message; null: it was given by a press. */
export type GivenRating = {
  externalKey: string
  payload: unknown
  score: number
  text: string
  externalId: string | null
  quoted: string | null
  speaker: string | null
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

/** Who stands behind the conversation `c`, with its connection `n` and its customer `u`. */
const rater = sql`c.agent_id as "agentId", c.channel, c.connection_id as "connectionId", c.external_chat_id as "chatId", u.language,
  n.id is not null and n.disconnected_at is null and n.status = 'connected' and not n.is_frozen and c.external_chat_id is not null
    and coalesce((select o.status <> 'failed' or o.error is null or o.error not like 'blocked%' from outbox o
      where o.organization_id = c.organization_id and o.conversation_id = c.id order by o.sequence desc limit 1), true) as "isReachable",
  array(select said.text from (
    select m.text, m.sequence from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
      and m.author = 'customer' order by m.sequence desc limit ${WORDS}::int) said order by said.sequence) as words`

const andWhoBelongs = sql`
  left join channel_connections n on n.organization_id = c.organization_id and n.id = c.connection_id
  left join customers u on u.organization_id = c.organization_id and u.id = c.customer_id`

/** Holds a conversation until the transaction ends. Undefined when its moment was taken away meanwhile. */
export async function holdToAsk(ctx: OrgStoreContext, id: ConversationId): Promise<ToAsk | undefined> {
  const shownWithIt = sql`select t.id from conversations t where t.organization_id = c.organization_id and t.thread_id = c.thread_id`
  const { rows } = await sql<ToAsk>`
    select ${rater},
      c.status = 'ended' and c.place <> 'deleted' and coalesce((select v.settings #>> '{ratings,isOn}' from agents a
        join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id and v.number = a.live_version
        where a.organization_id = c.organization_id and a.id = c.agent_id and a.deleted_at is null), 'false') = 'true' as "isWanted",
      exists (select from conversation_presence p where p.organization_id = c.organization_id
        and (p.conversation_id = c.id or p.conversation_id in (${shownWithIt})) and p.state = 'typing'
        and p.at > now() - ${PRESENCE_TYPING_MS}::int * interval '1 millisecond') as "isTyping",
      exists (select from conversations t where t.organization_id = c.organization_id and t.thread_id = c.thread_id
        and t.status <> 'ended' and t.place <> 'deleted') as "isTaken"
    from conversations c ${andWhoBelongs}
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and c.rating_ask_at <= now()
    for update of c`.execute(ctx.db)
  return rows[0]
}

/** Whom thanks go to. The conversation is held by the caller. */
export async function readRater(ctx: OrgStoreContext, id: ConversationId): Promise<Rater | undefined> {
  const { rows } = await sql<Rater>`
    select ${rater} from conversations c ${andWhoBelongs}
    where c.organization_id = ${ctx.organizationId} and c.id = ${id}`.execute(ctx.db)
  return rows[0]
}

/** Holds the conversation of a chat in which something was asked once, until the transaction ends. Undefined: there is none. */
async function holdChat(ctx: OrgStoreContext, { connectionId, chatId }: Chat): Promise<ConversationId | undefined> {
  const { rows } = await sql<{ id: ConversationId }>`
    select c.id from conversations c
    join channel_connections n on n.organization_id = c.organization_id and n.id = c.connection_id and n.disconnected_at is null
    where c.organization_id = ${ctx.organizationId} and c.connection_id = ${connectionId} and c.external_chat_id = ${chatId}
      and c.rating_question_id is not null and c.place <> 'deleted'
    for update of c`.execute(ctx.db)
  return rows[0]?.id
}

/** An instant is fresh for as long as an answer is one. */
const isFresh = (at: ReturnType<typeof sql.ref>) =>
  sql<boolean>`${at} > now() - ${RATING_ANSWER_HOURS}::int * interval '1 hour'`

/** The last message that the customer had sent before what they were told last, before the question `q`: more than one message may follow it. */
const answeredLast = sql`coalesce((select said.sequence from messages said
  where said.organization_id = c.organization_id and said.conversation_id = c.id and said.author = 'customer'
    and said.reason is distinct from 'rating' and said.sequence < (select max(told.sequence) from messages told
      where told.organization_id = c.organization_id and told.conversation_id = c.id
        and told.author in ('agent', 'operator') and told.sequence < q.sequence)
  order by said.sequence desc limit 1), 0)`

/** What was asked last in a chat, whose conversation is held from then on. Undefined: nothing was, or it has not left. */
export async function holdAsked(
  ctx: OrgStoreContext,
  chat: Chat,
): Promise<({ id: ConversationId } & Asked) | undefined> {
  const id = await holdChat(ctx, chat)
  if (!id) return undefined
  const { rows } = await sql<Omit<Asked, 'isAfterList'> & { before: string[] }>`
    select case when o.status = 'sent' then o.external_message_id end as "questionId",
      floor(1000 * extract(epoch from o.first_tried_at))::float8 as "sentAt", ${isFresh(sql.ref('o.first_tried_at'))} as "isFresh",
      c.status = 'ended'
        and not exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
          and m.author = 'operator' and m.sequence > q.sequence)
        and not exists (select from turns t where t.organization_id = c.organization_id and t.conversation_id = c.id
          and (t.status in ('pending', 'running') or t.created_at > q.created_at)) as "isQuiet",
      not exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
        and m.author <> 'system' and m.sequence > q.sequence) as "isLast",
      array(select m.text from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
        and m.author in ('agent', 'operator') and m.sequence < q.sequence and m.sequence > ${answeredLast}) as before,
      (select p.external_message_id from outbox p where p.organization_id = c.organization_id and p.message_id = c.rating_thanks_id
        and p.status = 'sent' and ${isFresh(sql.ref('p.first_tried_at'))} limit 1) as "thanksId"
    from conversations c
    join messages q on q.organization_id = c.organization_id and q.id = c.rating_question_id
    join outbox o on o.organization_id = q.organization_id and o.message_id = q.id and o.first_tried_at is not null
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} limit 1`.execute(ctx.db)
  const [row] = rows
  if (!row) return undefined
  const { before, ...asked } = row
  return { id, ...asked, isAfterList: before.some(listsByNumber) }
}

/**
 * The conversation of a chat, held from then on, whose last question the customer may answer by this press: it is under that question, not
 * too late, and by the customer whom it was put to. Undefined: the press is under another, or somebody else's.
 */
export async function holdPressed(
  ctx: OrgStoreContext,
  chat: Chat,
  press: { ratingId: string; externalMessageId: string; customer: string },
): Promise<ConversationId | undefined> {
  const id = await holdChat(ctx, chat)
  if (!id) return undefined
  const { rows } = await sql`
    select from conversations c
    join customers u on u.organization_id = c.organization_id and u.id = c.customer_id and u.external_id = ${press.customer}
    join outbox o on o.organization_id = c.organization_id and o.message_id = c.rating_question_id
      and o.status in ('sending', 'sent', 'unknown') and coalesce(o.external_message_id, ${press.externalMessageId}) = ${press.externalMessageId}
      and ${isFresh(sql.ref('o.first_tried_at'))}
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and c.rating_question_id = ${press.ratingId}`.execute(
    ctx.db,
  )
  return rows.length > 0 ? id : undefined
}

/**
 * Stores what a customer has said or pressed as their rating: the conversation stays as it is, and nothing waits for an answer. The same
 * notification again changes nothing. The last rating counts; what was said to an earlier one of the same question is kept. The
 * conversation is held by the caller.
 */
export async function storeRating(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  id: ConversationId,
  given: GivenRating,
): Promise<Taken> {
  const messageId = newId('messages')
  const { organizationId } = ctx
  const { rows } = await sql<Taken>`
    with notification as (
      ${keepStored(ctx, connectionId, { ...given, messageId })}
    ), before as (
      select c.rated_through > c.rating_asked_through as is_rated from conversations c
      where c.organization_id = ${organizationId} and c.id = ${id}
    ), message as (
      ${storeRatingMessage(ctx, id, { ...given, messageId })}
    ), conversation as (
      ${countRating(ctx, id, given)}
    )
    select exists (select from message) as "isNew", not is_rated as "isFirst" from before`.execute(ctx.db)
  return rows[0] ?? { isNew: false, isFirst: false }
}

/** Keeps the message that was just stored as what the customer says to their rating. The conversation is held by the caller. */
export async function keepComment(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  externalKey: string,
  comment: string,
): Promise<void> {
  await sql`
    with said as (
      ${markComment(ctx, connectionId, externalKey)}
    )
    ${setComment(ctx, comment)}`.execute(ctx.db)
}
