// Releases messages that were reserved for texts of the team by servers that died.
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { giveBackExpired } from './quotas.store.ts'

/** Every few minutes: reserved messages are unavailable to customers at the end of an allowance. */
export const releaseHoldsJob = defineJob<object, { database: Database }>({
  name: 'billing.release-holds',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '*/2 * * * *',
  isBrief: true,
  run: ({ database }) => releaseHolds(database, new Date()),
})

/** Safe to repeat, and to run on several servers concurrently. */
export function releaseHolds(database: Database, now: Date): Promise<void> {
  return database.system('billing: release expired holds', (db) => giveBackExpired({ db }, now), {
    isolation: 'read committed',
  })
}
