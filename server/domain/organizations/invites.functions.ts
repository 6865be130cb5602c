// Invitations: a link, sent by mail or handed on, with which a person of one address joins the organization in one role.
import { requireSeats } from '#server/domain/billing/plans.store.ts'
import type { OrgMutationContext } from '#server/functions/context.ts'
import { orgMutation, orgQuery, publicQuery, userMutation } from '#server/functions/define.ts'
import { proveEmail, setWorkplace } from '#server/platform/auth/people.store.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  acceptInviteInput,
  type CreatedInvite,
  createInviteInput,
  INVITES_A_DAY,
  type InvitePreview,
  inviteInput,
  previewInviteInput,
} from '#shared/organizations/members.ts'
import { noArgs } from '#shared/schema.ts'
import { hashOfInvite } from './invites.rules.ts'
import * as store from './invites.store.ts'
import { assertPending, makeInvite, renew, inviteResource as resourceOf, revokePending } from './inviting.ts'
import { insertMember } from './members.store.ts'

const DAY_MS = 86_400_000

/** The newest invitations of the organization, also those that are over. */
export const list = orgQuery({ args: noArgs, handler: (ctx) => store.listInvites(ctx, new Date()) })

/**
 * Invites the owner of an address. Their letter is sent where mail is configured; the link is answered in any case, this once.
 * @throws already_member, invite_pending, members_limit_reached, too_many_invites
 */
export const create = orgMutation({
  args: createInviteInput,
  isAudited: true,
  handler: async (ctx, { email, role }): Promise<CreatedInvite> => {
    if (await store.isMemberEmail(ctx, email)) throw new AppError('already_member', { email })
    await store.closeExpired(ctx, email, ctx.now)
    await assertMaySend(ctx)
    return makeInvite(ctx, { email, role })
  },
})

/**
 * Sends an invitation again, with another link; the one before stops working.
 * @throws invite_just_sent within five minutes; invite_used, invite_revoked
 */
export const resend = orgMutation({
  args: inviteInput,
  isAudited: true,
  handler: async (ctx, { inviteId }): Promise<CreatedInvite> => {
    const invite = await store.lockInvite(ctx, inviteId)
    if (!invite) throw new AppError('not_found')
    await assertMaySend(ctx)
    return renew(ctx, invite)
  },
})

/**
 * Ends an invitation that is pending: its link stops working.
 * @throws invite_used, invite_revoked, invite_expired
 */
export const revoke = orgMutation({
  args: inviteInput,
  isAudited: true,
  handler: async (ctx, { inviteId }) => {
    const invite = await store.lockInvite(ctx, inviteId)
    if (!invite) throw new AppError('not_found')
    await revokePending(ctx, invite)
    return null
  },
})

/**
 * What a link invites to.
 * @throws invite_not_found, invite_expired, invite_revoked, invite_used
 */
export const preview = publicQuery({
  args: previewInviteInput,
  handler: async (ctx, { token }): Promise<InvitePreview> => {
    const invite = await store.findByToken(ctx, hashOfInvite(token))
    if (!invite) throw new AppError('invite_not_found')
    assertPending(invite, new Date())
    return {
      organizationName: invite.organization_name,
      invitedBy: invite.inviter_name,
      email: invite.email,
      role: invite.role,
      expiresAt: invite.expires_at.getTime(),
      hasAccount: await store.hasAccount(ctx, invite.email),
    }
  },
})

/**
 * Makes the caller, whose address must be the invited one, a member, and has their session work in the organization. The link has reached
 * the address, which is proven by that. Safe to repeat for the person who has accepted.
 * @throws invite_not_found, invite_expired, invite_revoked, invite_used, invite_for_other_email, members_limit_reached
 */
export const accept = userMutation({
  args: acceptInviteInput,
  isAudited: true,
  handler: async (ctx, { token }): Promise<{ organizationId: Id<'organizations'> }> => {
    const { userId, sessionId, email } = ctx.caller
    const invite = await store.findByToken(ctx, hashOfInvite(token))
    if (!invite) throw new AppError('invite_not_found')
    const { organization_id: organizationId } = invite
    if (invite.accepted_by !== userId) {
      assertPending(invite, ctx.now)
      if (email.toLowerCase() !== invite.email) throw new AppError('invite_for_other_email', { email: invite.email })
      await requireSeats({ db: ctx.db, organizationId }, 1)
      if (!(await store.acceptInvite(ctx, invite.id, { userId, now: ctx.now }))) throw new AppError('invite_used')
      await insertMember(ctx, userId, { organizationId, role: invite.role, now: ctx.now })
      await proveEmail(ctx.db, userId)
    }
    await setWorkplace(ctx.db, sessionId, organizationId)
    await ctx.audit({ organizationId, resource: resourceOf(invite), after: { role: invite.role } })
    return { organizationId }
  },
})

/** An organization must not be able to send mail to the world. @throws AppError too_many_invites */
async function assertMaySend(ctx: OrgMutationContext): Promise<void> {
  const sent = await store.countSentSince(ctx, new Date(ctx.now.getTime() - DAY_MS))
  if (sent >= INVITES_A_DAY) throw new AppError('too_many_invites', { limit: INVITES_A_DAY })
}
