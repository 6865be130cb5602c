// SQL of what asks for the queues to be looked through: rows that the trigger of conversations and changes of operators leave behind.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** `mayAssign`: somebody waits, and somebody takes conversations now, whether or not their hands are full, or may have its like in hand. */
export type Wake = { id: number; organizationId: Id<'organizations'>; mayAssign: boolean }

/** Read at once; the next look takes the rest. */
const BATCH = 1000

/** What asks to be looked through, in no order. What changes after this read asks anew. */
export async function listWakes(ctx: StoreContext): Promise<Wake[]> {
  const result = await sql<Wake>`
    select w.id, w.organization_id as "organizationId",
      exists (select from conversations c where c.organization_id = w.organization_id and c.queued_at is not null
        and (c.thread_id is not null or exists (select from operators o
          where o.organization_id = w.organization_id and o.is_taking and o.is_within_hours))) as "mayAssign"
    from routing_wakes w limit ${BATCH}::int`.execute(ctx.db)
  return result.rows
}

/** These were looked through. */
export async function forgetWakes(ctx: StoreContext, ids: number[]): Promise<void> {
  await ctx.db.deleteFrom('routing_wakes').where('id', 'in', ids).execute()
}

/** Has the queue of the organization looked through soon, also when this server dies meanwhile. */
export async function wakeRouting(ctx: OrgStoreContext): Promise<void> {
  await ctx.db.insertInto('routing_wakes').values({ organization_id: ctx.organizationId }).execute()
}
