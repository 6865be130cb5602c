// Forgets what the API has answered long ago.
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { API_ANSWER_HOURS } from '#shared/limits.ts'
import { deleteRequests } from './requests.store.ts'

/** Hourly. */
export const forgetRequestsJob = defineJob<object, { database: Database }>({
  name: 'api.forget-requests',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '41 * * * *',
  run: ({ database }) => forgetRequests(database, new Date()),
})

/** Safe to repeat. */
export function forgetRequests(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - API_ANSWER_HOURS * 3_600_000)
  return database.system('api: forget old answers', (db) => deleteRequests({ db }, before), {
    isolation: 'read committed',
  })
}
