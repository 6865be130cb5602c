// What a trail shows, kept in the address of its page: how far back, and whose and which entries.
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { Id } from '#shared/ids.ts'
import { AUDIT_RANGES, type AuditFilters } from '#shared/organizations/audit.ts'

const parsers = {
  range: parseAsStringLiteral(AUDIT_RANGES).withDefault('7d'),
  actor: parseAsString,
  action: parseAsString,
  /** An id; only where all organizations are shown. */
  organization: parseAsString,
}

/** The view in the address, and its setter. */
export function useAuditView() {
  return useQueryStates(parsers)
}

/** The filters of a view, without those that are unset. */
export function filtersOf({ range, actor, action, organization }: ReturnType<typeof useAuditView>[0]): AuditFilters {
  return {
    range,
    ...(actor !== null && { actorId: actor as Id<'users'> }),
    ...(action !== null && { action }),
    ...(organization !== null && { organizationId: organization as Id<'organizations'> }),
  }
}
