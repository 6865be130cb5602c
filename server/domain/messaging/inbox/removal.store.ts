// SQL of conversations that were deleted long ago.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { deleteOverdue } from '../conversations/writes/conversation-removal.store.ts'
import { isOnLegalHold } from '../customers/legal-hold.store.ts'

/** Some conversations, of all organizations, that were deleted before, by their ids. */
export async function listOverdue(
  ctx: StoreContext,
  before: Date,
  after: string,
  most: number,
): Promise<{ id: Id<'conversations'>; organizationId: Id<'organizations'> }[]> {
  return ctx.db
    .selectFrom('conversations')
    .where('folder', '=', 'deleted')
    .where('moved_at', '<', before)
    .where('id', '>', after as Id<'conversations'>)
    .select(['id', 'organization_id as organizationId'])
    .orderBy('id')
    .limit(most)
    .execute()
}

/** Removes a conversation with all that belongs to it, unless it has come back meanwhile or its customer is on legal hold. @returns whether it is gone */
export async function removeConversation(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  before: Date,
): Promise<boolean> {
  return deleteOverdue(ctx, { id, before, unless: isOnLegalHold(sql.ref('conversations.customer_id')) })
}
