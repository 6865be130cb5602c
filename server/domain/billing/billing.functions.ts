// Usage and allowance of an organization.

import { readSlots } from '#server/domain/channels/send-limits/slots.store.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { USAGE_RANGE_MAX_DAYS } from '#shared/limits.ts'
import { monthSpendInput, usageOverviewInput } from '#shared/organizations/billing.ts'
import { type PlanOverview, requestCancellationInput, requestChangeInput } from '#shared/organizations/plans.ts'
import { noArgs, type TimeRange } from '#shared/schema.ts'
import * as rules from './billing.rules.ts'
import * as store from './billing.store.ts'
import { findSpendLimit, listAgentSums, listSpendingAgents } from './months.store.ts'
import { announceLater } from './plan-requests.job.ts'
import { findOpenRequest, insertRequest, withdrawOpenRequest } from './plan-requests.store.ts'
import { getOfferedPlan, getOwnPlan, listPlans, readSeats } from './plans.store.ts'
import { listLimitedDays } from './quotas.store.ts'
import { listSums } from './sums.ts'

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
    const overview = rules.overviewOf(plan, { sums, before, range }, plan.timeZone)
    const isPriced = overview.totals.unpricedCalls === 0
    return { ...overview, unpricedModels: isPriced ? [] : await store.listUnpricedModels(ctx, range) }
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

/** The organization's plan, what it uses of it, the plans that can be chosen, and the open request. */
export const getPlan = orgQuery({
  args: noArgs,
  handler: async (ctx): Promise<PlanOverview> => {
    const { plan: own, allowance } = await getOwnPlan(ctx)
    return {
      own,
      allowance,
      members: await readSeats(ctx),
      channelSlots: await readSlots(ctx),
      plans: await listPlans(ctx),
      request: await findOpenRequest(ctx),
    }
  },
})

/**
 * Asks the sales team for another plan. Nothing changes until they have set it.
 * @throws plan_not_found, plan_is_current, plan_request_pending
 */
export const requestChange = orgMutation({
  args: requestChangeInput,
  isAudited: true,
  handler: async (ctx, { planSlug, note = '' }) => {
    const { slug: plan } = await getOfferedPlan(ctx, planSlug)
    if ((await getOwnPlan(ctx)).plan?.slug === plan) throw new AppError('plan_is_current')
    const request = { kind: 'change', plan, note, requestedBy: ctx.caller.userId } as const
    const requestId = await insertRequest(ctx, request, ctx.now)
    await ctx.audit({ resource: { kind: 'planRequest', id: requestId }, after: { plan, note } })
    await announceLater(ctx, { requestId, what: 'made' })
    return findOpenRequest(ctx)
  },
})

/**
 * Asks the sales team to end the plan.
 * @throws plan_request_pending
 */
export const requestCancellation = orgMutation({
  args: requestCancellationInput,
  isAudited: true,
  handler: async (ctx, { reason = '' }) => {
    const request = { kind: 'cancellation', plan: null, note: reason, requestedBy: ctx.caller.userId } as const
    const requestId = await insertRequest(ctx, request, ctx.now)
    await ctx.audit({ resource: { kind: 'planRequest', id: requestId }, after: { note: reason } })
    await announceLater(ctx, { requestId, what: 'made' })
    return findOpenRequest(ctx)
  },
})

/** Withdraws the open request, if there is one, and has the sales team written to. Safe to repeat. */
export const withdrawRequest = orgMutation({
  args: noArgs,
  isAudited: true,
  handler: async (ctx) => {
    const requestId = await withdrawOpenRequest(ctx, ctx.now)
    if (requestId !== undefined) await announceLater(ctx, { requestId, what: 'withdrawn' })
    await ctx.audit({ ...(requestId !== undefined && { resource: { kind: 'planRequest', id: requestId } }) })
    return null
  },
})

/** In order, and of this calendar. */
function isSensible({ start, end }: TimeRange): boolean {
  return start <= end && Math.abs(end) <= LATEST_MS
}

/** A range from the beginning of time is then cut to where the organization began. */
function isLong({ start, end }: TimeRange): boolean {
  return end - start > USAGE_RANGE_MAX_DAYS * 86_400_000
}
