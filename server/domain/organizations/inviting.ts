// Making, renewing and ending invitations of one organization, asked for by a member or an administrator of the installation.
import { requireSeats } from '#server/domain/billing/plans.store.ts'
import { sendLetter } from '#server/domain/letters/letters.job.ts'
import type { OrgMutationContext } from '#server/functions/context.ts'
import { letterLanguage } from '#server/integrations/mail/letters.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { type CreatedInvite, INVITE_DAYS, RESEND_AFTER_MS } from '#shared/organizations/members.ts'
import type { GrantedRole } from '#shared/organizations/policy.ts'
import { inviteExpiry, inviteLink, invitePath, inviteState, newInviteToken } from './invites.rules.ts'
import * as store from './invites.store.ts'
import { getOrganization } from './organizations.store.ts'

type Inviting = Pick<
  OrgMutationContext,
  'db' | 'now' | 'jobs' | 'secrets' | 'audit' | 'organizationId' | 'installation'
> & { caller: { userId: Id<'users'>; name: string } }
type Stored = NonNullable<Awaited<ReturnType<typeof store.lockInvite>>>

/**
 * Invites, with an entry in the audit trail.
 * @throws AppError members_limit_reached, invite_pending
 */
export async function makeInvite(
  ctx: Inviting,
  { email, role }: { email: string; role: GrantedRole },
): Promise<CreatedInvite> {
  const { organizationId } = ctx
  await requireSeats(ctx, 1 + (await store.countOpen(ctx, ctx.now)))
  const { token, hash } = newInviteToken()
  const moments = { now: ctx.now, expiresAt: inviteExpiry(ctx.now, INVITE_DAYS) }
  const id = await store.insertInvite(ctx, { email, role, hash, invitedBy: ctx.caller.userId, ...moments })
  if (id === undefined) throw new AppError('invite_pending', { email })
  await ctx.audit({ organizationId, resource: inviteResource({ id, email }), after: { role } })
  return sendInvite(ctx, { id, email, role }, token)
}

/**
 * Sends an invitation again, with another link; the one before stops working.
 * @throws AppError invite_just_sent within five minutes; invite_used, invite_revoked, members_limit_reached
 */
export async function renew(ctx: Inviting, invite: Stored): Promise<CreatedInvite> {
  const { organizationId } = ctx
  const state = inviteState(invite, ctx.now)
  if (state === 'accepted') throw new AppError('invite_used')
  if (state === 'revoked') throw new AppError('invite_revoked')
  const waitMs = invite.sent_at.getTime() + RESEND_AFTER_MS - ctx.now.getTime()
  if (waitMs > 0) throw new AppError('invite_just_sent', { retryAfterMs: waitMs })
  if (state === 'expired') await requireSeats(ctx, 1 + (await store.countOpen(ctx, ctx.now)))
  await ctx.audit({ organizationId, resource: inviteResource(invite), after: { role: invite.role } })
  const { token, hash } = newInviteToken()
  await store.renewInvite(ctx, invite.id, { hash, now: ctx.now, expiresAt: inviteExpiry(ctx.now, INVITE_DAYS) })
  return sendInvite(ctx, invite, token)
}

/**
 * Ends an invitation that is pending: its link stops working.
 * @throws AppError invite_used, invite_revoked, invite_expired
 */
export async function revokePending(
  ctx: Pick<Inviting, 'db' | 'now' | 'audit' | 'organizationId'>,
  invite: Stored,
): Promise<void> {
  const { organizationId } = ctx
  assertPending(invite, ctx.now)
  await store.revokeInvite(ctx, invite.id, ctx.now)
  await ctx.audit({ organizationId, resource: inviteResource(invite), before: { role: invite.role } })
}

/** An invitation as the audit trail names it. */
export function inviteResource({ id, email }: { id: Id<'invites'>; email: string }) {
  return { kind: 'invite', id, name: email }
}

/** @throws AppError for a link that does not work any more */
export function assertPending(invite: Parameters<typeof inviteState>[0], now: Date): void {
  const state = inviteState(invite, now)
  if (state === 'accepted') throw new AppError('invite_used')
  if (state === 'revoked') throw new AppError('invite_revoked')
  if (state === 'expired') throw new AppError('invite_expired')
}

type Sent = { id: Id<'invites'>; email: string; role: GrantedRole }

async function sendInvite(ctx: Inviting, { id, email, role }: Sent, token: string): Promise<CreatedInvite> {
  const { installation, caller } = ctx
  if (installation.canSendMail) {
    const { name } = await getOrganization(ctx, ctx.organizationId)
    const language = letterLanguage(await store.findLanguage(ctx, email, caller.userId))
    const { organizationId } = ctx
    const link = { path: invitePath(token), days: INVITE_DAYS }
    const content = { organizationId, organization: name, inviter: caller.name, role, ...link }
    await sendLetter(ctx, { to: email, language, kind: 'invitation', ...content })
  }
  return { _id: id, link: inviteLink(installation.publicUrl, token), isSent: installation.canSendMail }
}
