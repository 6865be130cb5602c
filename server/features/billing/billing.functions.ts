// Usage and allowance of an organization.
import { orgQuery } from '#server/functions/define.ts'
import { usageOverviewInput } from '#shared/billing.ts'
import { AppError } from '#shared/errors.ts'
import { USAGE_RANGE_MAX_DAYS } from '#shared/limits.ts'
import type { TimeRange } from '#shared/schema.ts'
import * as rules from './billing.rules.ts'
import * as store from './billing.store.ts'

/**
 * Messages and money used by the caller's organization in a period.
 *
 * @throws not_found for another organization; invalid_arguments for a range that ends before it starts or is too long
 */
export const getOrganizationUsageOverview = orgQuery({
  args: usageOverviewInput,
  handler: async (ctx, { timeRange }) => {
    const plan = await store.getPlan(ctx)
    if (!(timeRange.start <= timeRange.end)) throw new AppError('invalid_arguments', { path: 'timeRange' })
    const range = isLong(timeRange)
      ? { ...timeRange, start: Math.max(timeRange.start, await store.findUsageStart(ctx, plan.createdAt)) }
      : timeRange
    if (isLong(range)) throw new AppError('invalid_arguments', { path: 'timeRange' })
    const { hours, edges } = rules.splitRange(range)
    const sums = hours ? await store.listHourSums(ctx, hours, plan.timeZone) : []
    for (const edge of edges) sums.push(...(await store.listEventSums(ctx, edge, plan.timeZone)))
    return rules.overviewOf(plan, sums, range, plan.timeZone)
  },
})

/** A range from the beginning of time is then cut to where the organization began. */
function isLong({ start, end }: TimeRange): boolean {
  return end - start > USAGE_RANGE_MAX_DAYS * 86_400_000
}
