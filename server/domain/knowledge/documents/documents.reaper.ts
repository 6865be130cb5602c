// Ends what hangs, so that no state but ready and error lasts forever: uploads and workers without a heartbeat for five minutes, and
// documents that no worker starts on. Stale uploads are deleted; the others go to state error, for Retry.
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { STUCK_AFTER_MS } from './attempts.ts'
import { isAnyWorkedOn, listStuck, type Stuck } from './documents.ingest.store.ts'
import { discardStaged } from './documents.staging.store.ts'
import { deleteDocument, failProcessing } from './documents.store.ts'
import { removeFilesLater } from './files/files.job.ts'

type ReaperServices = Pick<Services, 'database' | 'jobs'>

/**
 * Milliseconds in the queue, while no document is being processed or while some are: the server that has the file is gone, or very busy. If
 * it gets to the document after all, it processes it.
 */
export const WAITING_MAX_MS = { idle: 30 * 60_000, busy: 6 * 3_600_000 }

export const reapDocumentsJob = defineJob<object, ReaperServices>({
  name: 'knowledge.reap-documents',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  run: (services) => reapDocuments(services, new Date()),
})

/** Safe to repeat. A document that came back to life in between is left alone. */
export async function reapDocuments({ database, jobs }: ReaperServices, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const since = { life: ago(STUCK_AFTER_MS), waiting: ago(WAITING_MAX_MS.idle) }
  const stuck = await database.system(
    'knowledge: reap documents',
    async (db) => {
      const found = await listStuck({ db }, since)
      const isBusy = found.some(({ state }) => state === 'waiting') && (await isAnyWorkedOn({ db }, since.life))
      return isBusy ? listStuck({ db }, { ...since, waiting: ago(WAITING_MAX_MS.busy) }) : found
    },
    { readOnly: true },
  )
  for (const { organizationId, documentId, state } of stuck) {
    await database.organization(organizationId, async (db) => {
      const ctx = { db, organizationId, jobs }
      const still = await listStuck(ctx, since)
      if (!still.some((each: Stuck) => each.documentId === documentId && each.state === state)) return
      if (state === 'uploading') {
        const fileKey = await deleteDocument(ctx, documentId)
        await removeFilesLater(ctx, fileKey ? [fileKey] : [])
      } else {
        await failProcessing(ctx, documentId, state === 'waiting' ? 'not_started' : 'timeout', now)
        await discardStaged(ctx, documentId)
      }
    })
  }
}
