// The row lock of a conversation, held by every transaction that changes what belongs to it.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/**
 * Locks a conversation until the transaction ends. Taken before its turns and parts, and those before the counters of an organization:
 * transactions that lock in different orders deadlock, which PostgreSQL notices only a second later.
 */
export async function lockConversation(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<void> {
  await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select('id')
    .forUpdate()
    .execute()
}
