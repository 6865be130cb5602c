// Calls of the functions about one's own account and the security of organizations.
import type { SweptCall } from './calls.ts'

export const SECURITY_CALLS: Record<string, SweptCall> = {
  'organizations:updateSecurity': { args: () => ({ patch: { signOutAfterMinutes: 60 } }) },
  'organizations:removalCounts': { args: () => ({}) },
  'organizations:remove': { args: () => ({ name: 'Another' }), own: 'organization_name_wrong' },
  'users:active': { args: () => ({}) },
  'users:current': { args: () => ({}) },
  'users:ensure': { args: () => ({}) },
  'users:updateProfile': { args: () => ({ patch: { jobTitle: 'Manager' } }) },
}
