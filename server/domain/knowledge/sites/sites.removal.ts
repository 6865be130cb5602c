// Removes a site with the documents made from its pages, in batches: a large one does not block other writers. The remainder is shown
// meanwhile.

import type { Services } from '#server/functions/services.ts'
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { removeDocuments } from '../documents/documents.write.ts'
import * as store from './sites.removal.store.ts'

type RemovalServices = Pick<Services, 'database' | 'jobs'>
type RemovalData = { organizationId: Id<'organizations'>; siteId: Id<'sites'> }

const PAGES_AT_ONCE = 25

export const removeSiteJob = defineJob<RemovalData, RemovalServices>({
  name: 'knowledge.remove-site',
  limitSeconds: 600,
  concurrency: 1,
  run: (services, data, signal) => removeSite(services, data, signal),
})

/** Queues the removal of a site that is in state removing. */
export function removeSiteLater(ctx: OrgStoreContext & { jobs: JobSender<Db> }, siteId: Id<'sites'>): Promise<void> {
  return ctx.jobs.send(ctx.db, removeSiteJob, { organizationId: ctx.organizationId, siteId })
}

/** Safe to repeat; continues where it was interrupted. @throws the signal's reason when the process stops */
async function removeSite(
  { database, jobs }: RemovalServices,
  { organizationId, siteId }: RemovalData,
  signal: AbortSignal,
): Promise<void> {
  const removeSome = () =>
    database.organization(
      organizationId,
      async (db) => {
        const ctx = { db, organizationId, now: new Date(), jobs }
        const documents = await store.takePages(ctx, siteId, PAGES_AT_ONCE)
        await removeDocuments(ctx, documents ?? [])
        if (!documents) await store.deleteRemovedSite(ctx, siteId)
        return documents !== undefined
      },
      { isolation: 'read committed' },
    )
  try {
    while (await removeSome()) signal.throwIfAborted()
  } catch (error) {
    if (!(error instanceof AppError)) throw error // its space is being removed with all that is in it
  }
}
