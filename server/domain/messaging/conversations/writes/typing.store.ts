// SQL of who is typing in a conversation right now: a moment that the reader lets expire.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** An operator types in a web chat; other channels are not notified. Without effect for a conversation that does not exist. */
export async function noteOperatorTyping(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set({ operator_typing_at: sql<Date>`now()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', conversationId)
    .where('channel', '=', 'webchat')
    .execute()
}

/** A customer types; of interest while a person answers. */
export async function noteCustomerTyping(
  ctx: OrgStoreContext,
  chat: { connectionId: Id<'channelConnections'>; chatId: string },
): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set({ customer_typing_at: sql<Date>`now()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', chat.connectionId)
    .where('external_chat_id', '=', chat.chatId)
    .where('status', '=', 'paused')
    .execute()
}
