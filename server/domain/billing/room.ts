// Whether plan and ceilings leave room for a text that a model writes for the team, and one message taken for it meanwhile. Replies to
// customers are measured by the pipeline.

import type { WriteOptions } from '#server/functions/context.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import { AppError, appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  findMonthLimits,
  giveBack,
  hold,
  listQuotas,
  lockPeriods,
  type MonthLimits,
  openQuotas,
  type Quota,
} from './quotas.store.ts'

/** The agent for which a model is to write, with its own ceiling a month. */
type Payer = { id: Id<'agents'>; monthlyLimitUsd: number | null }

/** An action, or a job with short transactions of its own. */
type Asking = {
  now: Date
  read<T>(run: (ctx: OrgStoreContext) => Promise<T>): Promise<T>
  write<T>(run: (ctx: OrgStoreContext) => Promise<T>, options?: WriteOptions): Promise<T>
}

/** What was found for one text. `settle` stands in the transaction that counts its message: what was taken is used then. */
export type Room = { settle(ctx: OrgStoreContext): Promise<void> }

/** The periods that measure a text; undefined: nothing limits it. */
type Measures = { limits: MonthLimits; payer: Payer; month: string | undefined; agentMonth: string | undefined }

const SHORT = { isolation: 'read committed' } as const
/** Longer than any text takes to be written: what is held still was left by a server that died. */
const HOLD_MS = 5 * 60_000

/** Asked before a model writes what is no message, uses up nothing of the allowance and can wait. */
export async function hasRoom(ctx: Asking, payer: Payer): Promise<boolean> {
  try {
    await requireRoom(ctx, payer)
    return true
  } catch (error) {
    if (!appErrorData(error)) throw error
    return false
  }
}

/** @throws allowance_used_up; spending_limit_reached */
async function requireRoom(ctx: Asking, payer: Payer): Promise<void> {
  const measures = await measuresOf(ctx, payer)
  const periods = await open(ctx, measures)
  if (periods.length > 0) judge(measures, await ctx.read((store) => listQuotas(store, periods)))
}

/**
 * Reserves one message of the month before the model is called, so that concurrent calls never exceed the allowance, and releases it
 * however `run` ends.
 *
 * @throws allowance_used_up; spending_limit_reached; whatever `run` throws
 */
export async function withRoom<T>(ctx: Asking, payer: Payer, run: (room: Room) => Promise<T>): Promise<T> {
  const holdId = await take(ctx, await measuresOf(ctx, payer))
  if (holdId === null) return run({ settle: async () => {} })
  try {
    return await run({ settle: (store) => giveBack(store, holdId) })
  } finally {
    await ctx.write((store) => giveBack(store, holdId), SHORT)
  }
}

async function measuresOf(ctx: Asking, payer: Payer): Promise<Measures> {
  const limits = await ctx.read((store) => findMonthLimits(store))
  const month = wallClock(ctx.now.getTime(), limits.timeZone).day.slice(0, 7)
  return {
    limits,
    payer,
    month: isCounted(limits) || limits.monthlySpendMicroUsd !== null ? month : undefined,
    agentMonth: payer.monthlyLimitUsd !== null ? `${month} ${payer.id}` : undefined,
  }
}

/** Whether a message is refused when the allowance is used up. */
function isCounted({ allowance, atLimit }: MonthLimits): boolean {
  return allowance !== null && atLimit !== 'overage'
}

async function open(ctx: Asking, { month, agentMonth }: Measures): Promise<string[]> {
  const periods = [month, agentMonth].filter((period) => period !== undefined)
  if (periods.length > 0) await ctx.write((store) => openQuotas(store, periods), SHORT)
  return periods
}

/** @returns what is held; null where messages are not limited */
async function take(ctx: Asking, measures: Measures): Promise<string | null> {
  const { limits, month } = measures
  const periods = await open(ctx, measures)
  if (periods.length === 0) return null
  return ctx.write(async (store) => {
    judge(measures, await lockPeriods(store, periods))
    if (month === undefined || !isCounted(limits)) return null
    return hold(store, month, new Date(Date.now() + HOLD_MS))
  }, SHORT)
}

function judge({ limits, payer, month, agentMonth }: Measures, quotas: readonly Quota[]): void {
  const [all, own] = [month, agentMonth].map((period) => quotas.find((quota) => quota.period === period))
  const isSpent =
    (limits.monthlySpendMicroUsd !== null && all && all.costMicroUsd >= limits.monthlySpendMicroUsd) ||
    (payer.monthlyLimitUsd !== null && own && own.costMicroUsd >= payer.monthlyLimitUsd * 1e6)
  if (isSpent) throw new AppError('spending_limit_reached')
  if (isCounted(limits) && all && all.used + all.reserved >= (limits.allowance ?? 0)) {
    throw new AppError('allowance_used_up')
  }
}
