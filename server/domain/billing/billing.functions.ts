// Usage and allowance of an organization.
import type { OrgQueryContext } from '#server/functions/context.ts'
import { orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { USAGE_RANGE_MAX_DAYS } from '#shared/limits.ts'
import { monthSpendInput, usageOverviewInput } from '#shared/organizations/billing.ts'
import { noArgs, type TimeRange } from '#shared/schema.ts'
import * as rules from './billing.rules.ts'
import * as store from './billing.store.ts'
import { findSpendLimit, listAgentSums, listSpendingAgents } from './months.store.ts'
import { listLimitedDays } from './quotas.store.ts'

/** No date that is written lies further from 1970. */
const LATEST_MS = 8e15

/**
 * Messages and money used by the caller's organization in a range of time, and what is left of the calendar month in which it ends.
 *
 * @throws not_found for another organization; invalid_arguments for a range that ends before it starts or is too long
 */
export const getOrganizationUsageOverview = orgQuery({
  args: usageOverviewInput,
  handler: async (ctx, { timeRange }) => {
    const plan = await store.getPlan(ctx)
    if (!isSensible(timeRange)) throw new AppError('invalid_arguments', { path: 'timeRange' })
    const range = isLong(timeRange)
      ? { ...timeRange, start: Math.max(timeRange.start, await store.findUsageStart(ctx, plan.createdAt)) }
      : timeRange
    if (isLong(range)) throw new AppError('invalid_arguments', { path: 'timeRange' })
    const earlier = rules.rangeBefore(range)
    const sums = await listSums(ctx, range, plan.timeZone)
    const before = earlier ? await listSums(ctx, earlier, plan.timeZone) : []
    return rules.overviewOf(plan, { sums, before, range }, plan.timeZone)
  },
})

/** Spending of the organization and each of its agents in a month, along with the current limits. */
export const getMonthSpend = orgQuery({
  args: monthSpendInput,
  handler: async (ctx, { month }) => {
    const sums = await listAgentSums(ctx, month)
    return rules.monthSpendOf(sums, await listSpendingAgents(ctx), await findSpendLimit(ctx))
  },
})

/** How near agents are to their daily limits; those without one are left out. */
export const listAgentDays = orgQuery({
  args: noArgs,
  handler: async (ctx) => rules.agentDaysOf(await listLimitedDays(ctx)),
})

/** In order, and of this calendar. */
function isSensible({ start, end }: TimeRange): boolean {
  return start <= end && Math.abs(end) <= LATEST_MS
}

async function listSums(ctx: OrgQueryContext, range: TimeRange, timeZone: string): Promise<rules.UsageSum[]> {
  const { hours, edges } = rules.splitRange(range)
  const sums = hours ? await store.listHourSums(ctx, hours, timeZone) : []
  for (const edge of edges) sums.push(...(await store.listEventSums(ctx, edge, timeZone)))
  return sums
}

/** A range from the beginning of time is then cut to where the organization began. */
function isLong({ start, end }: TimeRange): boolean {
  return end - start > USAGE_RANGE_MAX_DAYS * 86_400_000
}
