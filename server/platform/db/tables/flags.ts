// What administrators of the installation set and organizations may have otherwise: flags with their exceptions, and brands.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { OwnBrand } from '#shared/organizations/branding.ts'
import type { GivenTimestamp, Json } from './columns.ts'

/** A flag that was set; one that was not stands as the program declares it. */
export interface FlagsTable {
  key: string
  description: string
  is_enabled: boolean
  updated_at: GivenTimestamp
}

/** What holds for one organization whatever the flag says. */
export interface FlagOverridesTable {
  organization_id: Id<'organizations'>
  key: string
  is_enabled: boolean
  updated_at: GivenTimestamp
}

/** One row; none: the program as it comes. */
export interface InstallationBrandTable {
  id: Generated<boolean>
  brand: Json<OwnBrand>
  updated_at: GivenTimestamp
}

/** What an organization has chosen for itself. */
export interface OrganizationBrandsTable {
  organization_id: Id<'organizations'>
  brand: Json<OwnBrand>
  updated_at: GivenTimestamp
}
