// Whether plan and ceilings leave room for a text that a model writes for the team. Replies to customers are measured by the pipeline.
import type { OrgStoreContext } from '#server/db/database.ts'
import { wallClock } from '#server/lib/zoned-time.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { findMonthLimits, listQuotas, openQuotas } from './quotas.store.ts'

/** The agent for which a model is to write, with its own ceiling a month. */
type Payer = { id: Id<'agents'>; monthlyLimitUsd: number | null }

/** An action, or a job with short transactions of its own. */
type Asking = {
  now: Date
  read<T>(run: (ctx: OrgStoreContext) => Promise<T>): Promise<T>
  write<T>(run: (ctx: OrgStoreContext) => Promise<T>): Promise<T>
}

/**
 * Asked before the model is.
 *
 * @throws allowance_used_up; spending_limit_reached
 */
export async function requireRoom(ctx: Asking, payer: Payer): Promise<void> {
  const limits = await ctx.read((store) => findMonthLimits(store))
  const month = wallClock(ctx.now.getTime(), limits.timeZone).day.slice(0, 7)
  const agentMonth = `${month} ${payer.id}`
  const isCounted = limits.allowance !== null && limits.atLimit !== 'overage'
  const periods = [
    ...(isCounted || limits.monthlySpendMicroUsd !== null ? [month] : []),
    ...(payer.monthlyLimitUsd !== null ? [agentMonth] : []),
  ]
  if (periods.length === 0) return
  await ctx.write((store) => openQuotas(store, periods))
  const quotas = await ctx.read((store) => listQuotas(store, periods))
  const [all, own] = [month, agentMonth].map((period) => quotas.find((quota) => quota.period === period))
  const isSpent =
    (limits.monthlySpendMicroUsd !== null && all && all.costMicroUsd >= limits.monthlySpendMicroUsd) ||
    (payer.monthlyLimitUsd !== null && own && own.costMicroUsd >= payer.monthlyLimitUsd * 1e6)
  if (isSpent) throw new AppError('spending_limit_reached')
  if (isCounted && all && all.used + all.reserved >= (limits.allowance ?? 0)) throw new AppError('allowance_used_up')
}
