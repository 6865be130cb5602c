// SQL of flags. They are read where they are obeyed, so that a change holds at once on every server.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { FLAGS, type Flag, type FlagKey, isDeclaredFlag, type OrganizationFlag } from '#shared/organizations/flags.ts'

type Set = { key: string; isEnabled: boolean; description: string | undefined; now: Date }
type Override = { key: string; organizationId: Id<'organizations'>; isEnabled: boolean | null; now: Date }

/** Whether a flag of the whole installation is on. */
export async function isFlagOn(ctx: StoreContext, key: FlagKey): Promise<boolean> {
  const row = await ctx.db.selectFrom('flags').where('key', '=', key).select('is_enabled').executeTakeFirst()
  return row?.is_enabled ?? FLAGS[key].isOnByDefault
}

/** Whether a flag is on for an organization. */
export async function isFlagOnFor(ctx: OrgStoreContext, key: OrganizationFlag): Promise<boolean> {
  const override = await ctx.db
    .selectFrom('flag_overrides')
    .where('organization_id', '=', ctx.organizationId)
    .where('key', '=', key)
    .select('is_enabled')
    .executeTakeFirst()
  return override?.is_enabled ?? isFlagOn(ctx, key)
}

/** Refuses what an administrator has switched off. @throws AppError flag_off */
export async function requireFlag(ctx: OrgStoreContext, key: OrganizationFlag): Promise<void> {
  if (!(await isFlagOnFor(ctx, key))) throw new AppError('flag_off', { flag: key })
}

/** The flags that are declared, and those that were set and stand for nothing any more; with their exceptions. */
export async function listFlags(ctx: StoreContext): Promise<Flag[]> {
  const rows = await ctx.db.selectFrom('flags').selectAll().execute()
  const overrides = await ctx.db
    .selectFrom('flag_overrides')
    .innerJoin('organizations', 'organizations.id', 'flag_overrides.organization_id')
    .select(['flag_overrides.key', 'flag_overrides.is_enabled', 'organizations.id', 'organizations.name'])
    .orderBy('organizations.name')
    .execute()
  const keys = new Set([...Object.keys(FLAGS), ...rows.map((row) => row.key)])
  return [...keys].toSorted().map((key) => {
    const row = rows.find((each) => each.key === key)
    const declared = isDeclaredFlag(key) ? FLAGS[key] : undefined
    return {
      key,
      description: row?.description ?? '',
      isEnabled: row?.is_enabled ?? declared?.isOnByDefault ?? false,
      updatedAt: row?.updated_at.getTime() ?? null,
      isUsed: declared !== undefined,
      isForAll: declared?.isForAll ?? false,
      overrides: overrides
        .filter((each) => each.key === key)
        .map(({ id, name, is_enabled }) => ({ organizationId: id, name, isEnabled: is_enabled })),
    }
  })
}

/** One flag; undefined: it is neither declared nor was it ever set. */
export async function findFlag(ctx: StoreContext, key: string): Promise<Flag | undefined> {
  return (await listFlags(ctx)).find((flag) => flag.key === key)
}

/** Sets a flag. `description` undefined: as it was. */
export async function setFlag({ db }: StoreContext, { key, isEnabled, description, now }: Set): Promise<void> {
  const values = { is_enabled: isEnabled, updated_at: now }
  await db
    .insertInto('flags')
    .values({ key, description: description ?? '', ...values })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ ...values, ...(description !== undefined && { description }) }),
    )
    .execute()
}

/** Makes, changes or ends (`isEnabled` null) the exception of an organization. */
export async function setOverride({ db }: StoreContext, override: Override): Promise<void> {
  const { key, organizationId, isEnabled, now } = override
  if (isEnabled === null) {
    await db.deleteFrom('flag_overrides').where('organization_id', '=', organizationId).where('key', '=', key).execute()
    return
  }
  const values = { is_enabled: isEnabled, updated_at: now }
  await db
    .insertInto('flag_overrides')
    .values({ key, organization_id: organizationId, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doUpdateSet(values))
    .execute()
}

/** Part of a statement that reads organizations as `o`: whether a flag is on for the row's organization. */
export function flagOf(key: OrganizationFlag) {
  return sql<boolean>`coalesce(
    (select is_enabled from flag_overrides where organization_id = o.id and key = ${sql.lit(key)}),
    (select is_enabled from flags where key = ${sql.lit(key)}), ${sql.lit(FLAGS[key].isOnByDefault)})`
}
