// Addresses within the administration that only its own pages link to; web/lib/paths.ts travels with every page.
import type { Id } from '#shared/ids.ts'
import { paths } from '#web/lib/paths.ts'

/** The page of one organization. */
export function organizationPath(id: Id<'organizations'>): string {
  return `${paths.adminPage('organizations')}/${encodeURIComponent(id)}`
}

/** The audit trail with everything that concerns an organization. */
export function auditPath(id: Id<'organizations'>): string {
  return `${paths.adminPage('audit')}?${new URLSearchParams({ organization: id, range: 'all' })}`
}

/** The members that a search finds. */
export function membersPath(search: string): string {
  return `${paths.adminPage('members')}?${new URLSearchParams({ search })}`
}
