// Forgets what agents looked up long ago.
import type { Database } from '#server/db/database.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { QUERY_LOG_DAYS } from '#shared/limits.ts'
import { deleteQueries } from './queries.store.ts'

/** Daily. */
export const forgetQueriesJob = defineJob<object, { database: Database }>({
  name: 'knowledge.forget-queries',
  limitSeconds: 300,
  concurrency: 1,
  schedule: '23 3 * * *',
  run: ({ database }) => forgetQueries(database, new Date()),
})

/** Safe to repeat. */
export function forgetQueries(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - QUERY_LOG_DAYS * 86_400_000)
  return database.system('knowledge: forget old questions', (db) => deleteQueries({ db }, before), {
    isolation: 'read committed',
  })
}
