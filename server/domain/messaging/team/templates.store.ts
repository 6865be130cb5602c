// SQL of what decides whether a customer needs a template: when they last wrote, and the connection that answers them.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'

/** When the customer last wrote, milliseconds since the epoch; null: never. */
export async function findLastHeard(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<number | null> {
  const last = await ctx.db
    .selectFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', id)
    .where('author', '=', 'customer')
    .orderBy('sequence', 'desc')
    .select('created_at')
    .executeTakeFirst()
  return last?.created_at.getTime() ?? null
}

/** The connection by which a conversation with a customer is answered; null: there is none. @throws AppError not_found */
export async function answeredBy(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
): Promise<Id<'channelConnections'> | null> {
  const row = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('channel', '<>', 'test')
    .select('connection_id')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.connection_id
}
