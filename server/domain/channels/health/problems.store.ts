// SQL of problems of a connection that may pass by themselves.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { nothingTriedWaits } from './activity.store.ts'

const ERROR_LENGTH = 500

/** Records a problem that may pass by itself; null: it has. */
export async function noteProblem(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  problem: string | null,
): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({ last_error: problem?.slice(0, ERROR_LENGTH) ?? null })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '<>', 'error')
    .where('last_error', 'is distinct from', problem)
    .execute()
}

/** The provider has responded as expected: clears its problem, except for messages that it refuses. */
export async function clearProblems(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await sql`
    update channel_connections c set last_error = null,
      send_error = case when c.send_error is not null and ${nothingTriedWaits('c')} then null else c.send_error end
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and c.status <> 'error'
      and (c.last_error is not null or c.send_error is not null)`.execute(ctx.db)
}
