// Changing a brand, for the installation and for organizations alike: checked, recorded, and with the file of a picture that is replaced
// removed afterwards.
import { removeFilesLater } from '#server/domain/knowledge/documents/files/files.job.ts'
import { changesOf } from '#server/platform/audit/changes.rules.ts'
import type { Db, StoreContext } from '#server/platform/db/database.ts'
import type { JobSender } from '#server/platform/jobs/jobs.ts'
import { AppError } from '#shared/errors.ts'
import { type BrandPicture, type BrandSettings, brandFaults, type OwnBrand } from '#shared/organizations/branding.ts'
import { type BrandOwner, getBrand, setBrand } from './branding.store.ts'
import { keysOf } from './pictures.ts'

/** What the audit trail gets. */
export type BrandChange = { before: Record<string, unknown>; after: Record<string, unknown> }
type Changing = StoreContext & { now: Date }

/** Replaces the settings of a brand. @throws AppError with the code of the first fault */
export async function changeSettings(ctx: Changing, owner: BrandOwner, settings: BrandSettings): Promise<BrandChange> {
  const [fault] = brandFaults(settings)
  if (fault) throw new AppError(fault.code, fault.params)
  return write(ctx, owner, settings)
}

/** Replaces one picture of a brand; null: it has none from now on. */
export async function changePicture(
  ctx: Changing & { db: Db; jobs: JobSender<Db> },
  owner: BrandOwner,
  { picture, path }: { picture: BrandPicture; path: string | null },
): Promise<BrandChange> {
  const { [picture]: before } = await getBrand(ctx, owner)
  await removeFilesLater(ctx, keysOf([before]))
  return write(ctx, owner, { [picture]: path })
}

async function write(ctx: Changing, owner: BrandOwner, patch: Partial<OwnBrand>): Promise<BrandChange> {
  const before = await getBrand(ctx, owner)
  const after = { ...before, ...patch }
  await setBrand(ctx, owner, after, ctx.now)
  return changesOf(before, after)
}
