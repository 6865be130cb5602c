// Scheduled checks: months whose messages or money are nearly used up, agents that fail to answer, weeks that have ended, and alerts too old to
// be useful.
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { forgetOld, raiseBilling, raiseFailing } from './news.store.ts'
import { raiseSummaries } from './summaries.ts'

const WRITE = { isolation: 'read committed' } as const

/** Every five minutes. Counting the allowance with each answer would cost each answer. */
export const alertsJob = defineJob<object, Pick<Services, 'database'>>({
  name: 'alerts.clock',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '*/5 * * * *',
  isBrief: true,
  run: ({ database }, _, signal) => raiseByClock(database, signal),
})

/** Alerts members to months that are nearly used up, to agents that fail and to the week, and forgets what is old. Safe to repeat. */
export async function raiseByClock(database: Services['database'], signal: AbortSignal): Promise<void> {
  await database.system('alerts: bills', (db) => raiseBilling({ db }), WRITE)
  await database.system('alerts: failing agents', (db) => raiseFailing({ db }), WRITE)
  await database.system('alerts: forget', (db) => forgetOld({ db }), WRITE)
  await raiseSummaries(database, signal)
}
