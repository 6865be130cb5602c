// Scheduled checks: months whose messages are nearly used up, and alerts that are too old to be useful.
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { forgetOld, raiseAllowances } from './allowances.store.ts'

const WRITE = { isolation: 'read committed' } as const

/** Every five minutes. Counting the allowance with each answer would cost each answer. */
export const alertsJob = defineJob<object, Pick<Services, 'database'>>({
  name: 'alerts.clock',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '*/5 * * * *',
  isBrief: true,
  run: ({ database }) => raiseByClock(database),
})

/** Calls the members of organizations whose month is nearly used up, and forgets what is old. Safe to repeat. */
export async function raiseByClock(database: Services['database']): Promise<void> {
  await database.system('alerts: allowances', (db) => raiseAllowances({ db }), WRITE)
  await database.system('alerts: forget', (db) => forgetOld({ db }), WRITE)
}
