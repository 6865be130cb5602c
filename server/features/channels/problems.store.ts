// SQL of what is wrong with a connection and may pass by itself.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

const ERROR_LENGTH = 500

/** Something that may pass by itself; null: it has. */
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

/** The provider has answered as it should: what may pass by itself has. */
export async function clearProblems(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({ last_error: null, send_error: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '<>', 'error')
    .where((problem) => problem.or([problem('last_error', 'is not', null), problem('send_error', 'is not', null)]))
    .execute()
}
