// Administrators of the installation on behalf of an organization. On the wire: admin/support.
import { listWorkplaces } from '#server/domain/organizations/members.store.ts'
import { getOrganization } from '#server/domain/organizations/organizations.store.ts'
import { adminMutation, adminQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import {
  beginSupportInput,
  DEFAULT_SUPPORT_MINUTES,
  endSupportInput,
  listSupportInput,
} from '#shared/organizations/support.ts'
import { endSupportJob } from './support.job.ts'
import * as store from './support.store.ts'

/**
 * Lets the caller's session into an organization for a while: as a reader, or as its administrator. Its members see that, and why. What the
 * session is let into must be named by its token.
 * @throws not_found; support_not_needed for an organization that the caller belongs to
 */
export const begin = adminMutation({
  args: beginSupportInput,
  isAudited: true,
  handler: async (ctx, { organizationId, reason, minutes = DEFAULT_SUPPORT_MINUTES, mayWrite = false }) => {
    const { userId, sessionId } = ctx.caller
    const { name } = await getOrganization(ctx, organizationId)
    const own = await listWorkplaces(ctx, userId, null)
    if (own.some(({ _id }) => _id === organizationId)) throw new AppError('support_not_needed')
    const endsAt = new Date(ctx.now.getTime() + minutes * 60_000)
    const access = { organizationId, userId, sessionId, reason, mayWrite, beganAt: ctx.now, endsAt }
    const accessId = await store.insertAccess(ctx, access)
    await ctx.audit({
      organizationId,
      resource: { kind: 'organization', id: organizationId, name },
      after: { minutes, mayWrite },
      reason,
    })
    await ctx.jobs.send(ctx.db, endSupportJob, { accessId }, { at: endsAt })
    return { _id: accessId, endsAt: endsAt.getTime() }
  },
})

/** Ends an access, the caller's or another administrator's. Open screens leave the organization at once. @throws not_found when it has ended */
export const end = adminMutation({
  args: endSupportInput,
  isAudited: true,
  handler: async (ctx, { accessId }) => {
    const ended = await store.endAccess(ctx, accessId, ctx.now)
    if (!ended) throw new AppError('not_found')
    const { organizationId, reason } = ended
    const { name } = await getOrganization(ctx, organizationId)
    await ctx.audit({ organizationId, resource: { kind: 'organization', id: organizationId, name }, reason })
    return null
  },
})

/** The newest accesses to an organization, newest first; live. */
export const list = adminQuery({
  args: listSupportInput,
  handler: (ctx, { organizationId }) => store.listAccesses(ctx, organizationId),
})
