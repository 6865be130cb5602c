// SQL of a conversation's rating: when it is asked for, the question, the answer.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { RATING_COMMENT_MAX } from '#shared/limits.ts'

type ConversationId = Id<'conversations'>

/** Sets when to check it again. Null: not at all. The caller holds the conversation. */
export async function setAskAt(ctx: OrgStoreContext, id: ConversationId, inMs: number | null): Promise<void> {
  await sql`update conversations set rating_ask_at = now() + ${inMs}::int * interval '1 millisecond'
    where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
}

/** The same for a moment that has come, unless it was cleared. */
export async function deferRating(ctx: OrgStoreContext, id: ConversationId, byMs: number): Promise<void> {
  await sql`update conversations set rating_ask_at = now() + ${byMs}::int * interval '1 millisecond'
    where organization_id = ${ctx.organizationId} and id = ${id} and rating_ask_at <= now()`.execute(ctx.db)
}

/** The question stands in the conversation: it is what answers refer to from now on, and messages so far are not asked about again. */
export async function noteAsked(ctx: OrgStoreContext, id: ConversationId, messageId: Id<'messages'>): Promise<void> {
  await sql`update conversations c set rating_question_id = m.id, rating_thanks_id = null, rating_asked_through = m.sequence
    from messages m where c.organization_id = ${ctx.organizationId} and c.id = ${id}
      and m.organization_id = c.organization_id and m.id = ${messageId}`.execute(ctx.db)
}

export async function noteThanked(ctx: OrgStoreContext, id: ConversationId, messageId: Id<'messages'>): Promise<void> {
  await sql`update conversations set rating_thanks_id = ${messageId}
    where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
}

/** The customer edits the message in which they gave a rating: its present text counts, if it is a rating. The caller holds the conversation. */
export async function changeRating(ctx: OrgStoreContext, id: ConversationId, externalId: string): Promise<void> {
  await sql`
    update conversations c set rating_score = trim(m.text)::smallint, rated_at = now()
    from messages m where c.organization_id = ${ctx.organizationId} and c.id = ${id} and m.organization_id = c.organization_id
      and m.conversation_id = c.id and m.external_id = ${externalId} and m.author = 'customer' and m.reason = 'rating'
      and m.sequence = c.rated_through and case when m.text ~ '^\\s*[1-5]\\s*$' then true else false end`.execute(
    ctx.db,
  )
}

/** A statement: stores what a customer has written or pressed as a message, if a CTE `notification` has a row. Returns its sequence. */
export function storeRatingMessage(
  ctx: OrgStoreContext,
  id: ConversationId,
  given: {
    messageId: Id<'messages'>
    text: string
    externalId: string | null
    quoted: string | null
    speaker: string | null
  },
): RawBuilder<unknown> {
  return sql`insert into messages (id, organization_id, conversation_id, author, text, external_id, quoted, speaker, reason)
      select ${given.messageId}, ${ctx.organizationId}, ${id}, 'customer', ${given.text}, ${given.externalId}, ${given.quoted}, ${given.speaker}, 'rating'
      from notification
      returning sequence`
}

/** A statement: counts the rating that a CTE `message` has stored (sequence). */
export function countRating(
  ctx: OrgStoreContext,
  id: ConversationId,
  { score, text }: { score: number; text: string },
): RawBuilder<unknown> {
  return sql`update conversations c set rating_score = ${score}::smallint, rated_at = now(), rated_through = message.sequence,
        rating_comment = case when c.rated_through > c.rating_asked_through then c.rating_comment end,
        message_count = c.message_count + 1, last_message_author = 'customer', last_message_text = ${text}, last_message_at = now()
      from message where c.organization_id = ${ctx.organizationId} and c.id = ${id}`
}

/** A statement: marks the message of a notification as the comment on the customer's rating. Returns conversation_id. */
export function markComment(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  externalKey: string,
): RawBuilder<unknown> {
  return sql`update messages m set reason = 'rating_comment' from inbound_events i
      where i.organization_id = ${ctx.organizationId} and i.connection_id = ${connectionId} and i.external_key = ${externalKey}
        and m.organization_id = i.organization_id and m.id = i.message_id
      returning m.conversation_id`
}

/** A statement: keeps the comment in the conversation that a CTE `commented` names (conversation_id). */
export function setComment(ctx: OrgStoreContext, comment: string): RawBuilder<unknown> {
  return sql`update conversations c set rating_comment = ${comment.slice(0, RATING_COMMENT_MAX)} from commented
    where c.organization_id = ${ctx.organizationId} and c.id = commented.conversation_id`
}
