// SQL of brands: of the installation, and of organizations.
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { EMPTY_BRAND, type OwnBrand } from '#shared/organizations/branding.ts'

/** Whose brand it is. */
export type BrandOwner = 'installation' | Id<'organizations'>
/** The choices of the installation, and of one organization over them. */
export type Brands = { installation: OwnBrand; own: OwnBrand }

/** What an owner has chosen; everything empty: nothing yet. */
export async function getBrand({ db }: StoreContext, owner: BrandOwner): Promise<OwnBrand> {
  const row =
    owner === 'installation'
      ? await db.selectFrom('installation_brand').select('brand').executeTakeFirst()
      : await db
          .selectFrom('organization_brands')
          .where('organization_id', '=', owner)
          .select('brand')
          .executeTakeFirst()
  return { ...EMPTY_BRAND, ...row?.brand }
}

/** The brands that together make what is shown to the people of an organization, in one statement; null: to those of none. */
export async function getBrands({ db }: StoreContext, organizationId: Id<'organizations'> | null): Promise<Brands> {
  const row = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('installation_brand').select('brand').as('installation'),
      selectFrom('organization_brands')
        .where('organization_id', '=', organizationId ?? ('' as Id<'organizations'>))
        .select('brand')
        .as('own'),
    ])
    .executeTakeFirst()
  return { installation: { ...EMPTY_BRAND, ...row?.installation }, own: { ...EMPTY_BRAND, ...row?.own } }
}

/** Writes the choices of an owner. */
export async function setBrand({ db }: StoreContext, owner: BrandOwner, brand: OwnBrand, now: Date): Promise<void> {
  const values = { brand: JSON.stringify(brand), updated_at: now }
  if (owner === 'installation') {
    await db
      .insertInto('installation_brand')
      .values(values)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute()
    return
  }
  await db
    .insertInto('organization_brands')
    .values({ organization_id: owner, ...values })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute()
}

/** The choices of several organizations. Those without any are left out. */
export async function listBrands(
  { db }: StoreContext,
  organizationIds: Id<'organizations'>[],
): Promise<Map<string, OwnBrand>> {
  if (organizationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('organization_brands')
    .where('organization_id', 'in', organizationIds)
    .select(['organization_id', 'brand'])
    .execute()
  return new Map(rows.map(({ organization_id, brand }) => [organization_id, { ...EMPTY_BRAND, ...brand }]))
}
