// Organizations: created once by the person who signs up, edited by every member.
import { recountMonths } from '#server/domain/billing/months.store.ts'
import { recountQuotas } from '#server/domain/billing/quotas.store.ts'
import { orgMutation, orgQuery, userMutation } from '#server/functions/define.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { AppError } from '#shared/errors.ts'
import { createOrganizationInput, updateOrganizationInput } from '#shared/organizations/organizations.ts'
import { noArgs } from '#shared/schema.ts'
import { recheckHours } from './operators.store.ts'
import * as store from './organizations.store.ts'
import { hostPictureLater } from './pictures.job.ts'

/**
 * Creates an organization with the caller as owner and first member, on the default plan unless the caller is platform admin. A time zone
 * that the database does not know yet must not block a sign-up: it becomes UTC.
 * @throws organization_exists
 */
export const create = userMutation({
  args: createOrganizationInput,
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
    await store.insertOrganization(ctx, organization, ctx.now)
    await store.insertMember(ctx, userId, id, ctx.now)
    if (input.name) await store.renameOwner(ctx, userId, input.name, ctx.now)
    return store.getOrganization(ctx, id)
  },
})

/**
 * Changes the given fields of the caller's organization. A new time zone takes effect at once, also for the days and months being counted.
 * An external logo is fetched in the background and then served from here.
 * @throws invalid_arguments for a time zone that is unknown; model_unknown, model_cannot_write for a model that cannot help
 */
export const update = orgMutation({
  args: updateOrganizationInput,
  handler: async (ctx, { patch }) => {
    const { timeZone, helperModel } = patch
    if (helperModel === EXTRACTIVE_MODEL) throw new AppError('model_cannot_write')
    if (helperModel) ctx.models.assertKnown(helperModel)
    if (timeZone !== undefined && !(await store.knowsTimeZone(ctx, timeZone))) {
      throw new AppError('invalid_arguments', { path: 'timeZone' })
    }
    const before = await store.getOrganization(ctx, ctx.organizationId)
    await store.updateOrganization(ctx, patch)
    if (patch.logoUrl !== undefined)
      await hostPictureLater(ctx, { of: 'organization', id: ctx.organizationId }, before.logoUrl)
    if (timeZone !== undefined) {
      await recountQuotas(ctx)
      await recountMonths(ctx)
      await recheckHours(ctx)
    }
    return store.getOrganization(ctx, ctx.organizationId)
  },
})

/** The people of the organization, by name. */
export const members = orgQuery({
  args: noArgs,
  handler: (ctx) => store.listMembers(ctx),
})
