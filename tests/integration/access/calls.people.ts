// Calls of the sweep over functions: members and invitations.
import type { SweptCall } from './calls.ts'

export const PEOPLE_CALLS: Record<string, SweptCall> = {
  'organizations/invites:accept': { args: () => ({ token: 'forged' }), own: 'invite_not_found' },
  'organizations/invites:create': { args: () => ({ email: 'guest@example.test', role: 'operator' }) },
  'organizations/invites:list': { args: () => ({}) },
  'organizations/invites:preview': { args: () => ({ token: 'forged' }), own: 'invite_not_found' },
  'organizations/invites:resend': { args: ({ inviteId }) => ({ inviteId }), own: 'invite_just_sent' },
  'organizations/invites:revoke': { args: ({ inviteId }) => ({ inviteId }) },
  'organizations/members:handOver': { args: ({ userId }) => ({ userId }) },
  'organizations/members:leave': { args: () => ({}), own: 'last_owner' },
  'organizations/members:list': { args: () => ({}) },
  'organizations/members:remove': { args: ({ userId }) => ({ userId }), own: 'last_owner' },
  'organizations/members:setRole': { args: ({ userId }) => ({ userId, role: 'analyst' }), own: 'last_owner' },
  'organizations:listMine': { args: () => ({}) },
  'organizations:switch': { args: ({ organizationId }) => ({ organizationId }) },
}
