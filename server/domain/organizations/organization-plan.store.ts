// SQL that gives an organization its plan.
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Gives an organization a plan, with effect from the next message on. */
export async function assignPlan({ db }: StoreContext, id: Id<'organizations'>, plan: string): Promise<void> {
  await db.updateTable('organizations').set({ plan }).where('id', '=', id).execute()
}
