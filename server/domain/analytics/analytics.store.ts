// SQL for events that the interface reports.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'

/** Records one event. */
export async function insertEvent(ctx: OrgStoreContext, kind: string, data: object, now: Date): Promise<void> {
  await ctx.db
    .insertInto('analytics_events')
    .values({
      id: newId(),
      organization_id: ctx.organizationId,
      kind,
      data: JSON.stringify(data),
      occurred_at: now,
    })
    .execute()
}
