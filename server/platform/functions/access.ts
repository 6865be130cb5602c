// The access check of public functions: whether a caller may call a function, and whose rows it then sees.
import type { Scope } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Caller } from './caller.ts'
import type { FunctionDefinition } from './define.ts'

/** What the guard of a function has established. Fields that the guard does not promise are null. */
export type Access = {
  scope: Scope
  caller: Caller | null
  organizationId: Id<'organizations'> | null
  /** Results of live queries are shared between calls with the same text. */
  sharedBy: string
}

/**
 * Checks the guard of a function.
 * @throws AppError unauthenticated, organization_required or admin_required
 */
export function authorize({ guard, kind }: FunctionDefinition, caller: Caller | null): Access {
  if (guard === 'public') return { scope: { kind: 'none' }, caller: null, organizationId: null, sharedBy: 'public' }
  if (!caller) throw new AppError('unauthenticated')
  const { organizationId } = caller
  if (guard === 'admin') {
    if (caller.role !== 'admin') throw new AppError('admin_required')
    return { scope: { kind: 'system' }, caller, organizationId: null, sharedBy: 'admin' }
  }
  if (guard === 'user') {
    const scope: Scope = organizationId ? { kind: 'organization', organizationId } : { kind: 'none' }
    // The handler sees the whole caller, so only calls of the same caller, in every field, may share.
    return { scope, caller, organizationId, sharedBy: JSON.stringify(caller) }
  }
  guard satisfies 'org'
  if (!organizationId) throw new AppError('organization_required')
  // A query of an organization does not receive the caller, so all members may share it.
  const known = kind === 'query' ? null : caller
  return {
    scope: { kind: 'organization', organizationId },
    caller: known,
    organizationId,
    sharedBy: `org:${organizationId}`,
  }
}

/**
 * Compares an `organizationId` argument with the caller's organization, so that no handler can forget to.
 * @throws AppError not_found unless the function declares another code, the same answer as for a thing that does not exist
 */
export function assertOwnOrganization({ guard, foreignCode }: FunctionDefinition, access: Access, args: unknown): void {
  if (guard !== 'org' && guard !== 'user') return
  if (typeof args !== 'object' || args === null || !('organizationId' in args)) return
  if (args.organizationId !== undefined && args.organizationId !== access.organizationId)
    throw new AppError(foreignCode)
}
