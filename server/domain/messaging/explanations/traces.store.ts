// SQL of the traces of turns. Writing them is in domain/messaging/turns/trace.store.ts.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { TurnTrace } from '#shared/messaging/trace.ts'

/**
 * The trace of a turn, of a conversation with a customer or of one person's test chat; null for a turn that has not ended.
 * @param testUserId whose test chat; null: conversations with customers
 * @throws AppError not_found
 */
export async function getTrace(
  ctx: OrgStoreContext,
  turnId: Id<'turns'>,
  testUserId: Id<'users'> | null,
): Promise<TurnTrace | null> {
  const row = await ctx.db
    .selectFrom('turns')
    .innerJoin('conversations', 'conversations.id', 'turns.conversation_id')
    .leftJoin('turn_traces', 'turn_traces.turn_id', 'turns.id')
    .where('turns.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('turns.id', '=', turnId)
    .where('conversations.test_user_id', testUserId === null ? 'is' : '=', testUserId)
    .select('turn_traces.trace')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.trace
}
