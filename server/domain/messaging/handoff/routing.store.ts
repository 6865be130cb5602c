// SQL of routing signals: rows that ask for a queue to be processed, written by the trigger on conversations and by changes of operators.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/**
 * `mayAssign`: a conversation waits, and either an operator takes conversations now (at capacity or not), or the conversation has a
 * thread, which may be assigned to an operator already.
 */
export type Wake = { id: number; organizationId: Id<'organizations'>; mayAssign: boolean }

/** Wakes per run; the next run takes the rest. */
const BATCH = 1000

/** Pending wakes, in no order. Changes after this read add wakes of their own. */
export async function listWakes(ctx: StoreContext): Promise<Wake[]> {
  const result = await sql<Wake>`
    select w.id, w.organization_id as "organizationId",
      exists (select from conversations c where c.organization_id = w.organization_id and c.queued_at is not null
        and (c.thread_id is not null or exists (select from operators o
          where o.organization_id = w.organization_id and o.accepts_assignments and o.is_within_hours))) as "mayAssign"
    from routing_signals w limit ${BATCH}::int`.execute(ctx.db)
  return result.rows
}

/** Deletes wakes whose queue was processed. */
export async function forgetWakes(ctx: StoreContext, ids: number[]): Promise<void> {
  await ctx.db.deleteFrom('routing_signals').where('id', 'in', ids).execute()
}

/** Requests processing of the organization's queue. The request survives a crash of this server. */
export async function wakeRouting(ctx: OrgStoreContext): Promise<void> {
  await ctx.db.insertInto('routing_signals').values({ organization_id: ctx.organizationId }).execute()
}
