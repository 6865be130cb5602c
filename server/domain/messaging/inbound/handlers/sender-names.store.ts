// SQL of the known name of a sender.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** A customer's name; undefined when they have never written. */
export function findSenderName(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  externalId: string,
): Promise<{ name: string; username: string | null } | undefined> {
  return ctx.db
    .selectFrom('customers')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', connectionId)
    .where('external_id', '=', externalId)
    .select(['name', 'username'])
    .executeTakeFirst()
}
