// Recuts the documents of a space after its setting has changed: a few at a time, each through the normal processing of uploads, so that
// other uploads are processed in between, and a document is queued only briefly.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { ingestLater } from '../documents.ingest.ts'
import { isAnyProcessed, takeOtherwiseCut } from './passages.store.ts'

type CutServices = Pick<Services, 'database' | 'jobs'>
type CutData = { organizationId: Id<'organizations'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }

const AT_ONCE = 2
/** Time per space, before the next one has its turn. */
const TURN_MS = 60_000
const LOOK_EVERY_MS = 500

/** Runs where the files are. */
export const rechunkJob = defineJob<CutData, CutServices>({
  name: 'knowledge.cut-anew',
  limitSeconds: 300,
  concurrency: 1,
  isLocal: true,
  run: cutAnew,
})

/** Safe to repeat: a document that is in line is not taken again. One that is refused, or cancelled, is left alone. */
async function cutAnew({ database, jobs }: CutServices, data: CutData, signal: AbortSignal): Promise<void> {
  const { organizationId, knowledgeSpaceId } = data
  const write = <T>(run: Parameters<typeof database.organization<T>>[1]) =>
    database.organization(organizationId, run, { isolation: 'read committed' })
  const isAnyUnderWay = (ids: Id<'documents'>[]) =>
    database.organization(organizationId, (db) => isAnyProcessed({ db, organizationId }, ids), { readOnly: true })
  const until = performance.now() + TURN_MS
  for (;;) {
    const ids = await write(async (db) => {
      const ctx = { db, organizationId, jobs }
      const taken = await takeOtherwiseCut(ctx, knowledgeSpaceId, { limit: AT_ONCE, now: new Date() })
      for (const id of taken) await ingestLater(ctx, id)
      return taken
    })
    if (ids.length === 0) return
    if (performance.now() > until) return write((db) => jobs.send(db, rechunkJob, data))
    while (await isAnyUnderWay(ids)) await sleep(LOOK_EVERY_MS, null, { signal })
  }
}
