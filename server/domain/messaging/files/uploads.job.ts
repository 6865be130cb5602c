// Deletes files of messages that are gone, and uploads that were never sent.
import type { Database, Db, OrgStoreContext } from '#server/platform/db/database.ts'
import type { FileStore } from '#server/platform/files/files.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { TICKET_MS } from './uploads.rules.ts'
import { forgetOldUses, listUnused } from './uploads.store.ts'

type Unnamed = { organizationId: Id<'organizations'>; keys: string[] }

/** One file may belong to several messages: it is removed with the last of them. */
export const removeUnusedFilesJob = defineJob<Unnamed, { database: Database; files: FileStore }>({
  name: 'conversations.remove-unused-files',
  limitSeconds: 120,
  concurrency: 1,
  isLocal: true,
  async run({ database, files }, { organizationId, keys }) {
    const unused = await database.organization(organizationId, async (db) => {
      await forgetOldUses({ db, organizationId }, new Date(Date.now() - TICKET_MS))
      return listUnused({ db, organizationId }, keys)
    })
    for (const key of unused) await files.remove(key)
  },
})

/** Queued with the transaction of the caller. @param at not before; else once it commits */
export async function removeUnusedLater(
  { db, organizationId, jobs }: OrgStoreContext & { jobs: JobSender<Db> },
  keys: string[],
  at?: Date,
): Promise<void> {
  if (keys.length > 0) await jobs.send(db, removeUnusedFilesJob, { organizationId, keys }, at && { at })
}
