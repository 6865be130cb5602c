// After an update of the tokenizer: rebuilds every older index, a few spaces at a time. Until then the old index serves.
import type { Database, Db } from '#server/platform/db/database.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'
import { tidyLater } from './add-chunks.ts'
import { listOutdated } from './segments.store.ts'

const SPACES_MOST = 500

type RenewContext = { database: Database; jobs: JobSender<Db> }

/** Finds nothing to do but after such an update. */
export const renewIndexesJob = defineJob<object, RenewContext>({
  name: 'knowledge.renew-indexes',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '*/10 * * * *',
  run: (ctx) => renewIndexes(ctx),
})

/** Safe to repeat. */
export async function renewIndexes({ database, jobs }: RenewContext): Promise<void> {
  const spaces = await database.system('retrieval: outdated indexes', (db) => listOutdated({ db }, SPACES_MOST), {
    readOnly: true,
  })
  for (const { organizationId, knowledgeSpaceId } of spaces) {
    await database.organization(organizationId, (db) => tidyLater({ db, organizationId, jobs }, knowledgeSpaceId))
  }
}
