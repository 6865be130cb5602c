// Raises an alert when a connection has been failing for so long that it will not recover by itself.
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { callForFailing } from './health.store.ts'

/** Longer than a provider takes to restart. */
const PATIENCE_MS = 2 * 60_000

/** Every minute. */
export const callForFailingJob = defineJob<object, { database: Database }>({
  name: 'channels.failing',
  limitSeconds: 30,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  async run({ database }) {
    await database.system('channels: call for people', (db) => callForFailing({ db }, PATIENCE_MS), {
      isolation: 'read committed',
    })
  },
})
