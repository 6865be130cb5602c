// Members and invitations of an organization: validation of input, and the shapes that clients receive.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'
import type { Member } from './organizations.ts'
import { GRANTED_ROLES, type GrantedRole, type OrganizationRole } from './policy.ts'

/** Days that the link of an invitation opens the organization. */
export const INVITE_DAYS = 7
/** Letters of invitations that an organization sends in a day. */
export const INVITES_A_DAY = 100
/** An invitation is not sent again sooner, milliseconds. */
export const RESEND_AFTER_MS = 5 * 60_000
/** Of the newest, those that are listed. */
export const INVITES_SHOWN = 200

const grantedRole = z.enum(GRANTED_ROLES)
const token = z.string().check(z.minLength(1), z.maxLength(200))

export const createInviteInput = z.strictObject({
  email: z.string().check(z.trim(), z.toLowerCase(), z.email(), z.maxLength(254)),
  role: grantedRole,
})
export const inviteInput = z.strictObject({ inviteId: id('invites') })
export const acceptInviteInput = z.strictObject({ token })
export const previewInviteInput = z.strictObject({ token })
export const switchInput = z.strictObject({ organizationId: id('organizations') })
export const setRoleInput = z.strictObject({ userId: id('users'), role: grantedRole })
export const memberInput = z.strictObject({ userId: id('users') })

/** A member with what they may do. */
export type Colleague = Member & { role: OrganizationRole }

/** A member as the page of the team shows them. */
export type MemberDetails = {
  _id: Id<'users'>
  name: string
  email: string
  avatar: string | null
  jobTitle: string
  role: OrganizationRole
  joinedAt: number
  /** When they last used a session; null: none is left. */
  lastActiveAt: number | null
  hasTwoStep: boolean
}

export const INVITE_STATES = ['pending', 'accepted', 'revoked', 'expired'] as const
export type InviteState = (typeof INVITE_STATES)[number]

/** An invitation as its organization sees it. The link is given only to who creates or resends it. */
export type Invite = {
  _id: Id<'invites'>
  email: string
  role: GrantedRole
  state: InviteState
  /** Name of who invited; null when the account is gone. */
  invitedBy: string | null
  createdAt: number
  expiresAt: number
  acceptedAt: number | null
}

/** `isSent`: a letter is on its way; otherwise the one who invites hands the link on. */
export type CreatedInvite = { _id: Id<'invites'>; link: string; isSent: boolean }

/** What the holder of a link sees before accepting. */
export type InvitePreview = {
  organizationName: string
  invitedBy: string | null
  email: string
  role: GrantedRole
  expiresAt: number
  hasAccount: boolean
}

/** An organization that the caller belongs to. */
export type Workplace = {
  _id: Id<'organizations'>
  name: string
  logoUrl: string | null
  role: OrganizationRole
  isCurrent: boolean
}
