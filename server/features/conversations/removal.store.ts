// SQL of conversations that were deleted long ago.
import type { OrgStoreContext, StoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Some conversations, of all organizations, that were deleted before. */
export async function listOverdue(
  ctx: StoreContext,
  before: Date,
  most: number,
): Promise<{ id: Id<'conversations'>; organizationId: Id<'organizations'> }[]> {
  return ctx.db
    .selectFrom('conversations')
    .where('place', '=', 'deleted')
    .where('placed_at', '<', before)
    .select(['id', 'organization_id as organizationId'])
    .limit(most)
    .execute()
}

/** Removes a conversation with all that belongs to it, unless it has come back meanwhile. @returns whether it is gone */
export async function removeConversation(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  before: Date,
): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('place', '=', 'deleted')
    .where('placed_at', '<', before)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
