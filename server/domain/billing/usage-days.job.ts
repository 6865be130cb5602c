// Sums up the usage of past days, so that overviews of the whole installation read days instead of events.
import type { Database, StoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { type Days, findFirstDay, findSummedUntil, sumUpDays, sumUpWindows } from './usage-days.store.ts'

const DAY_MS = 86_400_000
/** A day is summed up when it has been over for this long: what is being written then has been committed. */
const OVER_MS = 300_000
/** Days that are summed up again each time: an event may be committed late, or taken back at its own moment. */
const AGAIN = 2
/** Days of one transaction. */
const AT_ONCE = 31

export const sumUpDaysJob = defineJob<object, { database: Database }>({
  name: 'billing.sum-up-days',
  limitSeconds: 1_800,
  concurrency: 1,
  schedule: '7 * * * *',
  run: ({ database }) => sumUpUsage(database, new Date()),
})

/** Sums up all days that are over and have no sums yet, and the latest that have. Safe to repeat, and to run on several servers. */
export async function sumUpUsage(database: Database, now: Date): Promise<void> {
  const system = <T>(run: (ctx: StoreContext) => Promise<T>) =>
    database.system('billing: sum up days', (db) => run({ db }), { isolation: 'read committed' })
  const until = dayOf(now.getTime() - OVER_MS)
  const start = await system(async (ctx) => {
    const summed = await findSummedUntil(ctx)
    return summed === null ? findFirstDay(ctx) : addDays(summed, -AGAIN)
  })
  if (start === null) return
  for (let from = start; from < until; from = addDays(from, AT_ONCE)) {
    const end = addDays(from, AT_ONCE)
    await system((ctx) => sumUp(ctx, { from, until: end < until ? end : until }))
  }
}

/** Windows end where days do, in whatever transaction they are read. */
async function sumUp(ctx: StoreContext, days: Days): Promise<void> {
  await sumUpDays(ctx, days)
  const summed = await findSummedUntil(ctx)
  if (summed !== null) await sumUpWindows(ctx, summed)
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS)
}
