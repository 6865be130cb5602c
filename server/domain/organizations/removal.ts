// Removing an organization with everything in it, also what lies outside the database: channels at their providers and stored files.

import { storedKeyOf } from '#server/domain/agents/agents.avatars.ts'
import { getBrand } from '#server/domain/branding/branding.store.ts'
import { keysOf } from '#server/domain/branding/pictures.ts'
import { disconnectLater } from '#server/domain/channels/connections/disconnect.job.ts'
import { listLeftConnections } from '#server/domain/channels/connections/left-connections.store.ts'
import { listSealed } from '#server/domain/integrations/calendar/connections.store.ts'
import { revokeLater } from '#server/domain/integrations/calendar/revoke.job.ts'
import { removeFilesLater } from '#server/domain/knowledge/documents/files/files.job.ts'
import { hasLegalHolds } from '#server/domain/messaging/customers/legal-hold.store.ts'
import type { Db, StoreContext } from '#server/platform/db/database.ts'
import type { JobSender } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { deleteOrganization, listStored } from './removal.store.ts'

/** Files that one job removes. */
const FILES_A_JOB = 500

/**
 * Deletes the rows now; accounts and files follow in jobs that run if, and only if, the transaction commits.
 * @returns false, having deleted nothing, when a customer is on legal hold
 */
export async function removeOrganization(
  ctx: StoreContext & { jobs: JobSender<Db> },
  organizationId: Id<'organizations'>,
): Promise<boolean> {
  if (await hasLegalHolds({ db: ctx.db, organizationId })) return false
  await disconnectLater(ctx, await listLeftConnections({ db: ctx.db, organizationId }))
  await revokeLater(ctx, await listSealed({ db: ctx.db, organizationId }))
  const stored = await listStored(ctx, organizationId)
  const { logoLight, logoDark, icon } = await getBrand(ctx, organizationId)
  const avatars = stored.avatars.flatMap((avatar) => storedKeyOf(avatar) ?? [])
  const keys = [...stored.keys, ...avatars, ...keysOf([logoLight, logoDark, icon])]
  for (let at = 0; at < keys.length; at += FILES_A_JOB) await removeFilesLater(ctx, keys.slice(at, at + FILES_A_JOB))
  await deleteOrganization(ctx, organizationId)
  return true
}
