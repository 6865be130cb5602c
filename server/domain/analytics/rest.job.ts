// Puts conversations to rest that nothing has been written in since before yesterday, so that a year is read from sums of days.
import type { Database, StoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { restConversations, sumUpDays } from './days.store.ts'

/** Conversations, or days of them, of one transaction. */
const AT_ONCE = 2000

export const restConversationsJob = defineJob<object, { database: Database }>({
  name: 'analytics.rest',
  limitSeconds: 600,
  concurrency: 1,
  schedule: '11 * * * *',
  run: ({ database }, _, signal) => restAll(database, new Date(), signal),
})

/** Safe to repeat, and to run on several servers. */
export async function restAll(database: Database, now: Date, signal: AbortSignal): Promise<void> {
  const step = (run: (ctx: StoreContext) => Promise<number>) =>
    database.system('analytics: rest', (db) => run({ db }), { isolation: 'read committed' })
  while (!signal.aborted && (await step((ctx) => restConversations(ctx, now, AT_ONCE))) === AT_ONCE);
  while (!signal.aborted && (await step((ctx) => sumUpDays(ctx, AT_ONCE))) === AT_ONCE);
}
