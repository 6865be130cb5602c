// The access check of public functions: whether a caller may call a function, and whose rows it then sees.
import type { Scope } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Caller } from './caller.ts'
import type { FunctionDefinition } from './define.ts'
import type { PublicFunction } from './registry.ts'

/** What the guard of a function has established. Fields that the guard does not promise are null. */
export type Access = {
  scope: Scope
  caller: Caller | null
  organizationId: Id<'organizations'> | null
  /** Results of live queries are shared between calls with the same text. */
  sharedBy: string
}

/** What is asked of the caller of a function. */
type Asked = Pick<PublicFunction, 'guard' | 'kind' | 'allows' | 'concerns'>

/**
 * Checks the guard of a function, and the caller's role. Before results are shared: those who may not call it get none.
 * @throws AppError unauthenticated, organization_required, organization_suspended, two_step_required, role_required, admin_required,
 *   support_read_only or support_has_none
 */
export function authorize(asked: Asked, caller: Caller | null): Access {
  const { guard, kind, allows } = asked
  if (guard === 'public') return { scope: { kind: 'none' }, caller: null, organizationId: null, sharedBy: 'public' }
  if (!caller) throw new AppError('unauthenticated')
  const { organizationId, organizationRole: role } = caller
  if (guard === 'admin') {
    if (caller.role !== 'admin') throw new AppError('admin_required')
    return { scope: { kind: 'system' }, caller, organizationId: null, sharedBy: 'admin' }
  }
  if (caller.support) assertOnBehalf(asked, caller.support)
  if (organizationId && role && !allows(role)) throw new AppError('role_required', { role })
  if (guard === 'user') {
    const scope: Scope = organizationId ? { kind: 'organization', organizationId } : { kind: 'none' }
    // The handler sees the whole caller, so only calls of the same caller, in every field, may share.
    return { scope, caller, organizationId, sharedBy: JSON.stringify(caller) }
  }
  guard satisfies 'org'
  if (!organizationId || !role) throw refusalOf(caller)
  // A query of an organization does not receive the caller, so all members may share it.
  const known = kind === 'query' ? null : caller
  return {
    scope: { kind: 'organization', organizationId },
    caller: known,
    organizationId,
    sharedBy: `org:${organizationId}`,
  }
}

/** Who acts on behalf of an organization changes its things if they may, and never what its members keep for themselves. */
function assertOnBehalf({ kind, concerns }: Asked, { mayWrite }: NonNullable<Caller['support']>): void {
  if (kind === 'query' || concerns === 'account') return
  if (!mayWrite) throw new AppError('support_read_only')
  if (concerns === 'member') throw new AppError('support_has_none')
}

function refusalOf({ suspended, lacksTwoStep }: Caller): AppError {
  if (suspended) return new AppError('organization_suspended', { reason: suspended.reason })
  return new AppError(lacksTwoStep ? 'two_step_required' : 'organization_required')
}

/**
 * Compares an `organizationId` argument with the caller's organization, so that no handler can forget to.
 * @throws AppError not_found unless the function declares another code, the same answer as for a thing that does not exist
 */
export function assertOwnOrganization(definition: FunctionDefinition, access: Access, args: unknown): void {
  const { guard, foreignCode, namesOthers } = definition
  if ((guard !== 'org' && guard !== 'user') || namesOthers) return
  if (typeof args !== 'object' || args === null || !('organizationId' in args)) return
  if (args.organizationId !== undefined && args.organizationId !== access.organizationId)
    throw new AppError(foreignCode)
}
