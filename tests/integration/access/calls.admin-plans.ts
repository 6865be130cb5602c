// Calls of the sweep over functions: plans, invitations and flags of the installation.
import type { SweptCall } from './calls.ts'

const slug = 'pro'

export const ADMIN_PLANS_CALLS: Record<string, SweptCall> = {
  'admin/flags:list': { args: () => ({}) },
  'admin/flags:set': { args: () => ({ key: 'voice', enabled: true }) },
  'admin/flags:setOverride': { args: ({ organizationId }) => ({ key: 'voice', organizationId, enabled: true }) },
  'admin/invites:create': {
    args: ({ organizationId }) => ({ email: 'sweep@example.com', role: 'operator', organizationId }),
  },
  'admin/invites:export': { args: () => ({ language: 'en' }) },
  'admin/invites:list': { args: () => ({ paginationOpts: { numItems: 10, cursor: null } }) },
  'admin/invites:organizations': { args: () => ({ search: '' }) },
  'admin/invites:resend': { args: ({ inviteId }) => ({ inviteId }) },
  'admin/invites:revoke': { args: ({ inviteId }) => ({ inviteId }) },
  'admin/plans:archive': { args: () => ({ slug }) },
  'admin/plans:create': { args: () => ({ slug: 'sweep', name: 'Sweep' }) },
  'admin/plans:list': { args: () => ({}) },
  'admin/plans:reorder': { args: () => ({ slugs: ['pro', 'starter'] }) },
  'admin/plans:requests': { args: () => ({}) },
  'admin/plans:restore': { args: () => ({ slug }) },
  'admin/plans:setDefault': { args: () => ({ slug }) },
  'admin/plans:settle': { args: () => ({ requestId: 'no-such-request' }) },
  'admin/plans:update': { args: () => ({ slug, patch: { name: 'Pro' } }) },
}
