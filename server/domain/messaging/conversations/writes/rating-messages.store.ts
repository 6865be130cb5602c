// SQL of messages that are a customer's rating, or the comment on one. The rating itself stands in a row of its own, see
// rating-row.store.ts.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type ConversationId = Id<'conversations'>

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

/** A statement: shows the message that a CTE `message` has stored (sequence) as the last of its conversation. No answer is due, and it is not unread. */
export function noteRatingMessage(ctx: OrgStoreContext, id: ConversationId, text: string): RawBuilder<unknown> {
  return sql`update conversations c set message_count = c.message_count + 1, last_message_author = 'customer', last_message_text = ${text},
        last_message_at = now()
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
