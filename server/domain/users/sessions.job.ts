// Forgets sessions and one-time values that have run out, once an hour.

import { deleteExpired } from '#server/platform/auth/expired.store.ts'
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'

/** Hourly. */
export const forgetExpired = defineJob<object, { database: Database }>({
  name: 'forget-expired-sessions',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '17 * * * *',
  run: ({ database }) => database.system('sign-in: forget expired', (db) => deleteExpired(db, new Date())),
})
