// Deletes stored uploads after the rows that named them are gone.
import type { Db, StoreContext } from '#server/platform/db/database.ts'
import type { FileStore } from '#server/platform/files/files.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'

export const removeFilesJob = defineJob<{ keys: string[] }, { files: FileStore }>({
  name: 'knowledge.remove-files',
  limitSeconds: 120,
  concurrency: 1,
  isLocal: true,
  async run({ files }, { keys }) {
    for (const key of keys) await files.remove(key)
  },
})

/** Queued with the deletion: the files go if, and only if, it commits. */
export async function removeFilesLater(ctx: StoreContext & { jobs: JobSender<Db> }, keys: string[]): Promise<void> {
  if (keys.length > 0) await ctx.jobs.send(ctx.db, removeFilesJob, { keys })
}
