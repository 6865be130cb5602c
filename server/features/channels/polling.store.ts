// SQL of the place from which a connection is asked first.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Where polling begins; without effect where it has begun. */
export async function beginPolling(ctx: OrgStoreContext, id: Id<'channelConnections'>, offset: number): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({ poll_offset: offset })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('poll_offset', 'is', null)
    .execute()
}
