// Has the documents of a space cut anew after its setting has changed: some at a time, each by the way that every upload takes.
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { ingestLater } from './documents.ingest.ts'
import { takeOtherwiseCut } from './passages.store.ts'

type CutServices = Pick<Services, 'database' | 'jobs'>
export type CutData = { organizationId: Id<'organizations'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }

const AT_ONCE = 100

/** Runs where the files are. */
export const cutAnewJob = defineJob<CutData, CutServices>({
  name: 'knowledge.cut-anew',
  limitSeconds: 300,
  concurrency: 1,
  isLocal: true,
  run: cutAnew,
})

/** Safe to repeat: a document that is in line is not taken again. */
async function cutAnew(
  { database, jobs }: CutServices,
  { organizationId, knowledgeSpaceId }: CutData,
  signal: AbortSignal,
): Promise<void> {
  const taken = () =>
    database.organization(
      organizationId,
      async (db) => {
        const ctx = { db, organizationId, jobs }
        const ids = await takeOtherwiseCut(ctx, knowledgeSpaceId, { limit: AT_ONCE, now: new Date() })
        for (const id of ids) await ingestLater(ctx, id)
        return ids.length
      },
      { isolation: 'read committed' },
    )
  while ((await taken()) > 0) signal.throwIfAborted()
}
