// SQL of whether a chat has messages already.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Whether a chat has a conversation. */
export async function isKnownChat(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  chatId: string,
): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', connectionId)
    .where('external_chat_id', '=', chatId)
    .select('id')
    .executeTakeFirst()
  return found !== undefined
}
