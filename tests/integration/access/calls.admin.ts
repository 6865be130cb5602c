// Calls of the sweep over functions: organizations and people, by administrators of the installation.
import type { SweptCall } from './calls.ts'

const pages = { paginationOpts: { numItems: 10, cursor: null } }

export const ADMIN_CALLS: Record<string, SweptCall> = {
  'admin/members:export': { args: () => ({ language: 'en' }) },
  'admin/members:list': { args: () => ({ ...pages }) },
  'admin/members:lock': { args: ({ userId }) => ({ userId, reason: 'Spam' }) },
  'admin/members:resetTwoStep': { args: ({ userId }) => ({ userId }) },
  'admin/members:revokeSessions': { args: ({ userId }) => ({ userId }) },
  'admin/members:setRole': { args: ({ userId }) => ({ userId, role: 'user' }) },
  'admin/members:unlock': { args: ({ userId }) => ({ userId }) },
  'admin/organizations:get': { args: ({ organizationId }) => ({ organizationId }) },
  'admin/organizations:list': { args: () => ({ ...pages }) },
  'admin/organizations:plans': { args: () => ({}) },
  'admin/organizations:resume': { args: ({ organizationId }) => ({ organizationId }) },
  'admin/organizations:setMonthlyLimit': { args: ({ organizationId }) => ({ organizationId, monthlyLimit: 10 }) },
  'admin/organizations:setPlan': { args: ({ organizationId }) => ({ organizationId, planSlug: 'starter' }) },
  'admin/organizations:suspend': { args: ({ organizationId }) => ({ organizationId, reason: 'Unpaid' }) },
}
