// Forgets what agents looked up long ago.
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { QUERY_LOG_DAYS } from '#shared/limits.ts'
import { deleteQueries, listWithOldQueries } from './queries.store.ts'

/** Daily. */
export const forgetQueriesJob = defineJob<object, { database: Database }>({
  name: 'knowledge.forget-queries',
  limitSeconds: 300,
  concurrency: 1,
  schedule: '23 3 * * *',
  run: ({ database }) => forgetQueries(database, new Date()),
})

/** One organization after the other. Safe to repeat. */
export async function forgetQueries(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - QUERY_LOG_DAYS * 86_400_000)
  const some = await database.system('knowledge: old questions', (db) => listWithOldQueries({ db }, before), {
    readOnly: true,
  })
  for (const organizationId of some) {
    await database.organization(organizationId, (db) => deleteQueries({ db, organizationId }, before), {
      isolation: 'read committed',
    })
  }
}
