// SQL of what a customer thought of the help they got in a conversation, asked once for each stretch of it.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { ConversationRating } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'

/** A conversation, by what its customer is known by. */
type Chat = { connectionId: Id<'channelConnections'>; chatId: string }

/** Whether something of the conversation `c` is worth a rating: it has ended, or a person has helped and is done. */
const isRatingDue = sql<boolean>`c.status <> 'paused' and exists (select from messages m
  where m.organization_id = c.organization_id and m.conversation_id = c.id and m.sequence > c.rated_through
    and (m.author = 'operator' or c.status = 'ended' and m.author = 'customer'))`

/** Whether the customer is to be asked now. */
export async function isRatingAsked(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<boolean> {
  const result = await sql<{ isAsked: boolean }>`
    select ${isRatingDue} as "isAsked" from conversations c
    where c.organization_id = ${ctx.organizationId} and c.id = ${conversationId}`.execute(ctx.db)
  return result.rows[0]?.isAsked ?? false
}

/** Keeps a rating of everything said so far; without one, the customer did not want to. Nothing is kept that was not asked for. */
export async function saveRating(
  ctx: OrgStoreContext,
  chat: Chat,
  rating: Pick<ConversationRating, 'score' | 'comment'> | null,
): Promise<void> {
  await sql`
    update conversations c set
      rated_through = (select max(m.sequence) from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id),
      rating_score = coalesce(${rating?.score ?? null}::smallint, rating_score),
      rating_comment = case when ${rating !== null}::boolean then ${rating?.comment ?? null} else rating_comment end,
      rated_at = case when ${rating !== null}::boolean then now() else rated_at end
    where c.organization_id = ${ctx.organizationId} and c.connection_id = ${chat.connectionId}
      and c.external_chat_id = ${chat.chatId} and ${isRatingDue}`.execute(ctx.db)
}
