// SQL of asking customers for a rating in their channel, and of storing their answer. When it is asked stands
// with the conversation, see conversations/ratings.store.ts.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { PRESENCE_TYPING_MS, RATING_ANSWER_HOURS } from '#shared/limits.ts'
import { markComment, noteRatingMessage, storeRatingMessage } from '../conversations/writes/rating-messages.store.ts'
import { keepScore, setComment } from '../conversations/writes/rating-row.store.ts'
import { keepStored } from '../inbound-events/notifications.store.ts'
import type { Chat } from '../outbox/notices.store.ts'
import { type Asked, listsByNumber } from './ratings.rules.ts'

/** Questions per run; the next run takes the rest. */
const BATCH = 100
/** Number of the customer's last messages used to detect their language. */
const WORDS = 5

type ConversationId = Id<'conversations'>

/** The recipient of a question or thanks. */
export type Rater = Chat & {
  agentId: Id<'agents'>
  channel: Exclude<Channel, 'test'>
  /** Their connection works, and they have not blocked it. */
  isReachable: boolean
  /** A tag, as the customer's messenger names it. */
  language: string | null
  /** Texts of the customer's last messages, oldest first. */
  words: string[]
}

/** `isTyping`: an operator is typing to them. `isTaken`: another conversation of the thread is not ended. */
export type ToAsk = Rater & { isWanted: boolean; isTyping: boolean; isTaken: boolean }

/** The message that was stored as a rating. `isFirst`: its question had no answer before. */
export type Taken = { isNew: boolean; isFirst: boolean }

/** A rating as received. `externalId`: of the customer's message; null for a button press. */
export type GivenRating = {
  externalKey: string
  payload: unknown
  score: number
  text: string
  externalId: string | null
  quoted: string | null
  speaker: string | null
}

/** Conversations whose rating question is due. */
export async function listToAsk(
  ctx: StoreContext,
): Promise<{ id: ConversationId; organizationId: Id<'organizations'> }[]> {
  return ctx.db
    .selectFrom('conversation_ratings')
    .where('ask_at', '<=', sql<Date>`now()`)
    .select(['conversation_id as id', 'organization_id as organizationId'])
    .orderBy('ask_at')
    .limit(BATCH)
    .execute()
}

/** Columns of `Rater` for the conversation `c`, with its connection `n` and its customer `u`. */
const rater = sql`c.agent_id as "agentId", c.channel, c.connection_id as "connectionId", c.external_chat_id as "chatId", u.language,
  n.id is not null and n.disconnected_at is null and n.status = 'connected' and not n.is_frozen and c.external_chat_id is not null
    and coalesce((select o.status <> 'failed' or o.error is null or o.error not like 'blocked%' from outbox o
      where o.organization_id = c.organization_id and o.conversation_id = c.id order by o.sequence desc limit 1), true) as "isReachable",
  array(select latest.text from (
    select m.text, m.sequence from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
      and m.author = 'customer' order by m.sequence desc limit ${WORDS}::int) latest order by latest.sequence) as words`

/** The ratings `r` of the conversation `c`. */
const ratings = sql`conversation_ratings r on r.organization_id = c.organization_id and r.conversation_id = c.id`

const andWhoBelongs = sql`
  left join channel_connections n on n.organization_id = c.organization_id and n.id = c.connection_id
  left join customers u on u.organization_id = c.organization_id and u.id = c.customer_id`

/**
 * Locks a conversation until the transaction ends. Undefined when its question is no longer due: the row of ratings is locked too, or its
 * state from before another server has asked would be believed.
 */
export async function holdToAsk(ctx: OrgStoreContext, id: ConversationId): Promise<ToAsk | undefined> {
  const shownWithIt = sql`select t.id from conversations t where t.organization_id = c.organization_id and t.thread_id = c.thread_id`
  const { rows } = await sql<ToAsk>`
    select ${rater},
      c.status = 'ended' and c.folder <> 'deleted' and coalesce((select v.settings #>> '{ratings,isOn}' from agents a
        join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id and v.number = a.live_version
        where a.organization_id = c.organization_id and a.id = c.agent_id and a.deleted_at is null), 'false') = 'true' as "isWanted",
      exists (select from conversation_presence p where p.organization_id = c.organization_id
        and (p.conversation_id = c.id or p.conversation_id in (${shownWithIt})) and p.state = 'typing'
        and p.at > now() - ${PRESENCE_TYPING_MS}::int * interval '1 millisecond') as "isTyping",
      exists (select from conversations t where t.organization_id = c.organization_id and t.thread_id = c.thread_id
        and t.status <> 'ended' and t.folder <> 'deleted') as "isTaken"
    from conversations c join ${ratings} ${andWhoBelongs}
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and r.ask_at <= now()
    for update of c, r`.execute(ctx.db)
  return rows[0]
}

/** The recipient of the thanks. The conversation is locked by the caller. */
export async function readRater(ctx: OrgStoreContext, id: ConversationId): Promise<Rater | undefined> {
  const { rows } = await sql<Rater>`
    select ${rater} from conversations c ${andWhoBelongs}
    where c.organization_id = ${ctx.organizationId} and c.id = ${id}`.execute(ctx.db)
  return rows[0]
}

/** Locks the conversation of a chat with a rating question until the transaction ends. Undefined when there is none. */
async function holdChat(ctx: OrgStoreContext, { connectionId, chatId }: Chat): Promise<ConversationId | undefined> {
  const { rows } = await sql<{ id: ConversationId }>`
    select c.id from conversations c join ${ratings}
    join channel_connections n on n.organization_id = c.organization_id and n.id = c.connection_id and n.disconnected_at is null
    where c.organization_id = ${ctx.organizationId} and c.connection_id = ${connectionId} and c.external_chat_id = ${chatId}
      and r.question_id is not null and c.folder <> 'deleted'
    for update of c`.execute(ctx.db)
  return rows[0]?.id
}

/** Whether a time is within the period in which answers are accepted. */
const isFresh = (at: ReturnType<typeof sql.ref>) =>
  sql<boolean>`${at} > now() - ${RATING_ANSWER_HOURS}::int * interval '1 hour'`

/**
 * Sequence of the customer's last message before the last answer that precedes the question `q`; 0 without one. Several messages may
 * follow it.
 */
const answeredLast = sql`coalesce((select written.sequence from messages written
  where written.organization_id = c.organization_id and written.conversation_id = c.id and written.author = 'customer'
    and written.reason is distinct from 'rating' and written.sequence < (select max(answer.sequence) from messages answer
      where answer.organization_id = c.organization_id and answer.conversation_id = c.id
        and answer.author in ('agent', 'operator') and answer.sequence < q.sequence)
  order by written.sequence desc limit 1), 0)`

/** The last rating question of a chat; locks its conversation. Undefined when none was asked, or it was not tried to be sent yet. */
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
      (select p.external_message_id from outbox p where p.organization_id = c.organization_id and p.message_id = r.thanks_id
        and p.status = 'sent' and ${isFresh(sql.ref('p.first_tried_at'))} limit 1) as "thanksId"
    from conversations c join ${ratings}
    join messages q on q.organization_id = c.organization_id and q.id = r.question_id
    join outbox o on o.organization_id = q.organization_id and o.message_id = q.id and o.first_tried_at is not null
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} limit 1`.execute(ctx.db)
  const [row] = rows
  if (!row) return undefined
  const { before, ...asked } = row
  return { id, ...asked, isAfterList: before.some(listsByNumber) }
}

/**
 * The conversation of a chat whose last question this press answers: it is under that question, not too late, and by the customer who was
 * asked. Locks the conversation. Undefined when the press is under another question, too late, or by another customer.
 */
export async function holdPressed(
  ctx: OrgStoreContext,
  chat: Chat,
  press: { ratingId: string; externalMessageId: string; customer: string },
): Promise<ConversationId | undefined> {
  const id = await holdChat(ctx, chat)
  if (!id) return undefined
  const { rows } = await sql`
    select from conversations c join ${ratings}
    join customers u on u.organization_id = c.organization_id and u.id = c.customer_id and u.external_id = ${press.customer}
    join outbox o on o.organization_id = c.organization_id and o.message_id = r.question_id
      and o.status in ('sending', 'sent', 'unknown') and coalesce(o.external_message_id, ${press.externalMessageId}) = ${press.externalMessageId}
      and ${isFresh(sql.ref('o.first_tried_at'))}
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and r.question_id = ${press.ratingId}`.execute(
    ctx.db,
  )
  return rows.length > 0 ? id : undefined
}

/**
 * Stores a customer's message or press as their rating: the conversation's state does not change, and no answer is due. Idempotent per
 * notification. The last rating counts; a comment to an earlier rating of the same question is kept. The conversation is locked by the
 * caller.
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
      select rated_through > asked_through as is_rated from conversation_ratings
      where organization_id = ${organizationId} and conversation_id = ${id}
    ), message as (
      ${storeRatingMessage(ctx, id, { ...given, messageId })}
    ), conversation as (
      ${noteRatingMessage(ctx, id, given.text)}
    ), rating as (
      ${keepScore(ctx, id, given.score)}
    )
    select exists (select from message) as "isNew", not is_rated as "isFirst" from before`.execute(ctx.db)
  return rows[0] ?? { isNew: false, isFirst: false }
}

/** Stores the message that was just received as the comment to the customer's rating. The conversation is locked by the caller. */
export async function keepComment(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  externalKey: string,
  comment: string,
): Promise<void> {
  await sql`
    with commented as (
      ${markComment(ctx, connectionId, externalKey)}
    )
    ${setComment(ctx, comment)}`.execute(ctx.db)
}
