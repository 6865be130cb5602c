// SQL of conversations that were deleted long ago.
import type { OrgStoreContext, StoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Some conversations, of all organizations, that were deleted before, by their ids. */
export async function listOverdue(
  ctx: StoreContext,
  before: Date,
  after: string,
  most: number,
): Promise<{ id: Id<'conversations'>; organizationId: Id<'organizations'> }[]> {
  return ctx.db
    .selectFrom('conversations')
    .where('place', '=', 'deleted')
    .where('placed_at', '<', before)
    .where('id', '>', after as Id<'conversations'>)
    .select(['id', 'organization_id as organizationId'])
    .orderBy('id')
    .limit(most)
    .execute()
}

/** Removes a conversation with all that belongs to it, unless it has come back meanwhile or is of one of these customers. @returns whether it is gone */
export async function removeConversation(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  before: Date,
  held: Id<'customers'>[],
): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('place', '=', 'deleted')
    .where('placed_at', '<', before)
    .where((eb) => eb.or([eb('customer_id', 'is', null), eb.not(eb('customer_id', '=', eb.fn.any(eb.val(held))))]))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
