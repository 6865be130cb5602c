// Purges removed spaces once they can no longer be restored.
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { listFileKeys } from '../documents/documents.store.ts'
import { removeFilesLater } from '../documents/files/files.job.ts'
import { listTableFileKeys } from '../tables/tables.store.ts'
import { deleteHiddenSpace, listHiddenSpaces } from './spaces.removal.store.ts'

type RemovalServices = Pick<Services, 'database' | 'jobs'>

/** Between the removal and the end, milliseconds: longer than the interface offers to undo it. */
export const REMOVAL_GRACE_MS = 60_000

export const deleteSpacesJob = defineJob<object, RemovalServices>({
  name: 'knowledge.delete-spaces',
  limitSeconds: 300,
  concurrency: 1,
  schedule: '*/5 * * * *',
  isBrief: true,
  run: (services) => deleteRemovedSpaces(services, new Date()),
})

/** Safe to repeat. Skips a space that was restored meanwhile. */
export async function deleteRemovedSpaces({ database, jobs }: RemovalServices, now: Date): Promise<void> {
  const hiddenUntil = new Date(now.getTime() - REMOVAL_GRACE_MS)
  const spaces = await database.system('knowledge: removed spaces', (db) => listHiddenSpaces({ db }, hiddenUntil), {
    readOnly: true,
  })
  for (const { organizationId, id } of spaces) {
    await database.organization(organizationId, async (db) => {
      const ctx = { db, organizationId, jobs }
      const files = [...(await listFileKeys(ctx, id)), ...(await listTableFileKeys(ctx, id))]
      if (await deleteHiddenSpace(ctx, id, hiddenUntil)) await removeFilesLater(ctx, files)
    })
  }
}
