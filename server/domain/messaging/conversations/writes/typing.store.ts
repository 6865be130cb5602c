// SQL of who is typing in a conversation right now: a moment that the reader lets expire. It does not stand in the conversation itself, whose
// row is wide and in many indexes.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** An operator types in a web chat; other channels are not notified. Without effect for a conversation that does not exist. */
export async function noteOperatorTyping(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<void> {
  await sql`
    insert into conversation_typing (organization_id, conversation_id, operator_at)
    select organization_id, id, now() from conversations
    where organization_id = ${ctx.organizationId} and id = ${conversationId} and channel = 'webchat'
    on conflict (organization_id, conversation_id) do update set operator_at = excluded.operator_at`.execute(ctx.db)
}

/** A customer types; of interest while a person answers. */
export async function noteCustomerTyping(
  ctx: OrgStoreContext,
  chat: { connectionId: Id<'channelConnections'>; chatId: string },
): Promise<void> {
  await sql`
    insert into conversation_typing (organization_id, conversation_id, customer_at)
    select organization_id, id, now() from conversations
    where organization_id = ${ctx.organizationId} and connection_id = ${chat.connectionId} and external_chat_id = ${chat.chatId}
      and status = 'paused'
    on conflict (organization_id, conversation_id) do update set customer_at = excluded.customer_at`.execute(ctx.db)
}
