// Calls of the sweep over functions: administrators of the installation on behalf of an organization.
import type { SweptCall } from './calls.ts'

export const SUPPORT_CALLS: Record<string, SweptCall> = {
  'admin/support:begin': { args: ({ organizationId }) => ({ organizationId, reason: 'A call of the owner' }) },
  'admin/support:end': { args: () => ({ accessId: 'no-such-access' }) },
  'admin/support:list': { args: ({ organizationId }) => ({ organizationId }) },
}
