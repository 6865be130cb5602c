// Sums of usage in any range of time: of whole hours, and of single events at its edges and at midnights within an hour.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { TimeRange } from '#shared/schema.ts'
import { splitRange, tornHours, type UsageSum } from './billing.rules.ts'
import { listEventSums, listHourSums } from './billing.store.ts'

/** Sums by day, category and channel. Days are those of the time zone. */
export async function listSums(ctx: OrgStoreContext, range: TimeRange, timeZone: string): Promise<UsageSum[]> {
  const { hours, edges } = splitRange(range)
  const torn = hours ? tornHours(hours, timeZone) : []
  const ofHours = hours ? await listHourSums(ctx, hours, { timeZone, except: torn.map(({ start }) => start) }) : []
  const single = [...edges, ...torn]
  return single.length === 0 ? ofHours : [...ofHours, ...(await listEventSums(ctx, single, timeZone))]
}
