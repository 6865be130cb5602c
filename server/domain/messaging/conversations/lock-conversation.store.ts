// The row of a conversation, which everybody holds who changes what hangs on it.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/**
 * Holds a conversation until the transaction ends. Before its turns and parts, and those before what is counted in an organization: two
 * that lock in different orders wait for each other until PostgreSQL notices, a second later.
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
