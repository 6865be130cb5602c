// Invitations of the whole installation, for its administrators.
import * as all from '#server/domain/organizations/all-invites.store.ts'
import { closeExpired, hasOpenInvite, lockInvite } from '#server/domain/organizations/invites.store.ts'
import { makeInvite, renew, revokePending } from '#server/domain/organizations/inviting.ts'
import { getOrganization } from '#server/domain/organizations/organizations.store.ts'
import type { AdminMutationContext } from '#server/functions/context.ts'
import { adminMutation, adminQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  createAnyInviteInput,
  exportInvitesInput,
  findOrganizationsInput,
  INVITES_EXPORT_MAX,
  type InvitesFile,
  listAllInvitesInput,
  ownDomain,
} from '#shared/organizations/admin-invites.ts'
import { inviteInput } from '#shared/organizations/members.ts'
import { invitesCsv, invitesFileName } from './invites-csv.rules.ts'

/** A page of invitations, the newest first; live. */
export const list = adminQuery({
  args: listAllInvitesInput,
  handler: (ctx, { paginationOpts, ...filters }) => all.listAllInvites(ctx, filters, paginationOpts, new Date()),
})

/** Organizations with a text in their names, for the choice of one; live. */
export const organizations = adminQuery({
  args: findOrganizationsInput,
  handler: (ctx, { search }) => all.findOrganizations(ctx, search),
})

/**
 * Invites the owner of an address into an organization, given or recognised by the domain of the address.
 * @throws email_of_member, invite_active, organization_not_detected, not_found, members_limit_reached
 */
export const create = adminMutation({
  args: createAnyInviteInput,
  isAudited: true,
  handler: async (ctx, { email, role, organizationId: given }) => {
    if (await all.isMemberOfAny(ctx, email)) throw new AppError('email_of_member', { email })
    if (await hasOpenInvite(ctx, email, ctx.now)) throw new AppError('invite_active', { email })
    const organizationId = given ?? (await detect(ctx, email))
    await getOrganization(ctx, organizationId)
    await closeExpired({ db: ctx.db, organizationId }, email, ctx.now)
    return makeInvite({ ...ctx, organizationId }, { email, role })
  },
})

/** Ends an invitation that is pending. @throws not_found, invite_used, invite_revoked, invite_expired */
export const revoke = adminMutation({
  args: inviteInput,
  isAudited: true,
  handler: async (ctx, { inviteId }) => {
    const { organizationId, invite } = await lock(ctx, inviteId)
    await revokePending({ ...ctx, organizationId }, invite)
    return null
  },
})

/** Sends an invitation again, with another link. @throws not_found, invite_just_sent, invite_used, invite_revoked */
export const resend = adminMutation({
  args: inviteInput,
  isAudited: true,
  handler: async (ctx, { inviteId }) => {
    const { organizationId, invite } = await lock(ctx, inviteId)
    return renew({ ...ctx, organizationId }, invite)
  },
})

/** The newest invitations as a file for spreadsheets, with the filters. */
const exportInvites = adminQuery({
  args: exportInvitesInput,
  handler: async (ctx, { language, ...filters }): Promise<InvitesFile> => {
    const now = new Date()
    const found = await all.listNewestInvites(ctx, filters, INVITES_EXPORT_MAX, now)
    return {
      name: invitesFileName(now),
      csv: invitesCsv(found, language),
      isCut: found.length === INVITES_EXPORT_MAX,
    }
  },
})

export { exportInvites as export }

async function detect(ctx: AdminMutationContext, email: string): Promise<Id<'organizations'>> {
  const domain = ownDomain(email)
  const found = domain === undefined ? undefined : await all.detectOrganization(ctx, domain)
  if (found === undefined) {
    throw new AppError('organization_not_detected', { domain: email.split('@').at(-1) ?? '' })
  }
  return found
}

async function lock(ctx: AdminMutationContext, inviteId: Id<'invites'>) {
  const organizationId = await all.findInvited(ctx, inviteId)
  const invite = organizationId && (await lockInvite({ db: ctx.db, organizationId }, inviteId))
  if (!organizationId || !invite) throw new AppError('not_found')
  return { organizationId, invite }
}
