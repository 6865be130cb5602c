// Who may call the HTTP routes for members of an organization.
import type { Caller } from '#server/platform/functions/caller.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { may } from '#shared/organizations/policy.ts'
import { type MemberRoute, ROUTES } from '#shared/organizations/routes.ts'

/**
 * The member who calls a route, by the policy of roles.
 * @throws AppError unauthenticated, organization_required, support_read_only, role_required
 */
export function admitMember(
  caller: Caller | null,
  route: MemberRoute,
): { organizationId: Id<'organizations'>; userId: Id<'users'> } {
  if (!caller) throw new AppError('unauthenticated')
  const { organizationId, organizationRole: role, userId, support } = caller
  if (!organizationId || !role) throw new AppError('organization_required')
  if (support && !support.mayWrite && !route.startsWith('GET ')) throw new AppError('support_read_only')
  if (!may(role, ROUTES[route])) throw new AppError('role_required', { role })
  return { organizationId, userId }
}

const REFUSED: ReadonlySet<ErrorCode> = new Set(['organization_required', 'support_read_only', 'role_required'])

/** The status of a refusal of `admitMember`; undefined for other codes. */
export function memberStatus(code: ErrorCode): 401 | 403 | undefined {
  if (code === 'unauthenticated') return 401
  return REFUSED.has(code) ? 403 : undefined
}
