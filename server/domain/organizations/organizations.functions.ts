// Organizations: created by the person who signs up, edited by its administrators; and in which of theirs a person works.
import { recountDays } from '#server/domain/analytics/days.store.ts'
import { recountMonths } from '#server/domain/billing/months.store.ts'
import { recountQuotas } from '#server/domain/billing/quotas.store.ts'
import { requireOffered } from '#server/domain/models/offered.ts'
import { orgAction, orgMutation, orgQuery, userMutation, userQuery } from '#server/functions/define.ts'
import { changesOf } from '#server/platform/audit/changes.rules.ts'
import { hasTwoStep } from '#server/platform/auth/factors/two-step.store.ts'
import { noteRemovedOrganization, setWorkplace } from '#server/platform/auth/people.store.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { switchInput } from '#shared/organizations/members.ts'
import { createOrganizationInput, updateOrganizationInput } from '#shared/organizations/organizations.ts'
import { organizationSecurityInput, removeOrganizationInput } from '#shared/organizations/security.ts'
import { noArgs } from '#shared/schema.ts'
import { insertMember, isMemberAnywhere, listMembers, listWorkplaces } from './members.store.ts'
import { recheckHours } from './operators.store.ts'
import * as store from './organizations.store.ts'
import { hostPictureLater } from './pictures.job.ts'
import { countRemoved } from './removal.store.ts'
import { removeOrganization } from './removal.ts'

/** How long wrong passwords are counted. */
const GUESSES_WAIT_MS = 15 * 60 * 1000

/**
 * Creates an organization with the caller as owner and first member, on the default plan unless the caller is platform admin. A time zone
 * that the database does not know yet must not block a sign-up: it becomes UTC.
 * @throws organization_exists for a person who belongs to one already
 */
export const create = userMutation({
  args: createOrganizationInput,
  isAudited: true,
  handler: async (ctx, input) => {
    const id = newId('organizations')
    const { userId, role } = ctx.caller
    const { timeZone } = input
    const organization = {
      id,
      name: input.organizationName,
      displayName: input.organizationDisplayName || null,
      supportEmail: input.organizationSupportEmail || null,
      ownerId: userId,
      isUnlimited: role === 'admin',
      timeZone: timeZone !== undefined && (await store.knowsTimeZone(ctx, timeZone)) ? timeZone : undefined,
    }
    if (await isMemberAnywhere(ctx, userId)) throw new AppError('organization_exists')
    await store.insertOrganization(ctx, organization, ctx.now)
    await insertMember(ctx, userId, { organizationId: id, role: 'owner', now: ctx.now })
    if (input.name) await store.renameOwner(ctx, userId, input.name, ctx.now)
    await ctx.audit({ organizationId: id, resource: resourceOf({ _id: id, name: organization.name }) })
    return store.getOrganization(ctx, id)
  },
})

/**
 * Changes the given fields of the caller's organization. A new time zone takes effect at once, also for the days and months being counted.
 * An external logo is fetched in the background and then served from here.
 * @throws invalid_arguments for a time zone that is unknown, and for the file of another's picture; model_unknown, model_cannot_write for a model that cannot help
 */
export const update = orgMutation({
  args: updateOrganizationInput,
  isAudited: true,
  handler: async (ctx, { patch }) => {
    const { timeZone, helperModel } = patch
    if (helperModel === EXTRACTIVE_MODEL) throw new AppError('model_cannot_write')
    if (helperModel) await requireOffered(ctx, [helperModel])
    if (timeZone !== undefined && !(await store.knowsTimeZone(ctx, timeZone))) {
      throw new AppError('invalid_arguments', { path: 'timeZone' })
    }
    const before = await store.getOrganization(ctx, ctx.organizationId)
    if (!store.isOwnPicture(before.logoUrl, patch.logoUrl)) {
      throw new AppError('invalid_arguments', { path: 'logoUrl' })
    }
    await store.updateOrganization(ctx, patch)
    if (patch.logoUrl !== undefined)
      await hostPictureLater(ctx, { of: 'organization', id: ctx.organizationId }, before.logoUrl)
    if (timeZone !== undefined) {
      await recountQuotas(ctx)
      await recountMonths(ctx)
      await recountDays(ctx)
      await recheckHours(ctx)
    }
    const after = await store.getOrganization(ctx, ctx.organizationId)
    await ctx.audit({ resource: resourceOf(after), ...changesOf(before, after) })
    return after
  },
})

/** The people of the organization, by name. */
export const members = orgQuery({
  args: noArgs,
  handler: (ctx) => listMembers(ctx),
})

/** The organizations that the caller belongs to, by name; the one that this call works in is current. */
export const listMine = userQuery({
  args: noArgs,
  handler: (ctx) => listWorkplaces(ctx, ctx.caller.userId, ctx.caller.organizationId),
})

/**
 * Has the caller's session work in another organization of theirs. Live queries of every connection of the session follow at once, except
 * those whose token is for one organization only.
 * @throws not_found for an organization that the caller does not belong to
 */
const switchTo = userMutation({
  args: switchInput,
  namesOthers: true,
  handler: async (ctx, { organizationId }) => {
    const mine = await listWorkplaces(ctx, ctx.caller.userId, null)
    if (!mine.some(({ _id }) => _id === organizationId)) throw new AppError('not_found')
    await setWorkplace(ctx.db, ctx.caller.sessionId, organizationId)
    return null
  },
})

export { switchTo as switch }

/**
 * Changes what the organization demands of its members: two-step sign-in, and the end of sessions that are not used.
 * @throws two_step_missing when the caller demands of others what they have not set up
 */
export const updateSecurity = orgMutation({
  args: organizationSecurityInput,
  isAudited: true,
  handler: async (ctx, { patch }) => {
    if (patch.requiresTwoStep && !(await hasTwoStep(ctx.db, ctx.caller.userId))) throw new AppError('two_step_missing')
    const before = await store.getOrganization(ctx, ctx.organizationId)
    await store.changeSecurity(ctx, patch)
    const after = await store.getOrganization(ctx, ctx.organizationId)
    await ctx.audit({ resource: resourceOf(after), ...changesOf(before, after) })
    return after
  },
})

/** What would go with the organization. */
export const removalCounts = orgQuery({
  args: noArgs,
  handler: (ctx) => countRemoved(ctx),
})

/**
 * Deletes the organization with everything in it; its members see that it is gone. For its owner, who types its name and their password.
 * @throws organization_name_wrong, organization_on_legal_hold; password_required, password_wrong, sign_in_again, rate_limited
 */
export const remove = orgAction({
  args: removeOrganizationInput,
  isAudited: true,
  handler: async (ctx, { name, password }) => {
    const { caller, organizationId, services } = ctx
    const organization = await ctx.read((read) => store.getOrganization(read, organizationId))
    if (name.trim() !== organization.name) throw new AppError('organization_name_wrong')
    const proof = await services.proofs.prove(caller, password)
    if (proof === 'too_many_attempts') throw new AppError('rate_limited', { retryAfterMs: GUESSES_WAIT_MS })
    if (proof !== 'proven') throw new AppError(proof)
    await ctx.system('organizations: remove', async ({ db, jobs, audit }) => {
      await noteRemovedOrganization(db, organization)
      const isRemoved = await removeOrganization({ db, jobs }, organizationId)
      if (!isRemoved) throw new AppError('organization_on_legal_hold')
      await audit({ resource: resourceOf(organization) })
    })
    return null
  },
})

function resourceOf({ _id, name }: { _id: Id<'organizations'>; name: string }) {
  return { kind: 'organization', id: _id, name }
}
