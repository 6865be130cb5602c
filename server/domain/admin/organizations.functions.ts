// Organizations as administrators of the installation see and manage them.
import { getOfferedPlan } from '#server/domain/billing/plans.store.ts'
import { changeStanding } from '#server/domain/organizations/standing.store.ts'
import { adminMutation, adminQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import {
  type AdminOrganization,
  type AdminOrganizationDetails,
  adminOrganizationInput,
  isMonthlyLimit,
  listOrganizationsInput,
  setMonthlyLimitInput,
  setPlanInput,
  suspendInput,
} from '#shared/organizations/admin.ts'
import { noArgs } from '#shared/schema.ts'
import { getFacts, listConnections, listFailures, listMonths } from './organization.read.store.ts'
import * as store from './organizations.read.store.ts'

/** What is shown of all organizations changes with every message of any. */
const REST_MS = 1000

/** A page of organizations; live. */
export const list = adminQuery({
  args: listOrganizationsInput,
  restMs: REST_MS,
  handler: (ctx, { paginationOpts, ...filters }) => store.listOrganizations(ctx, filters, paginationOpts),
})

/** Plans that an organization can be given. */
export const plans = adminQuery({ args: noArgs, handler: (ctx) => store.listPlanChoices(ctx) })

/** One organization with its use, connections and failures; live. @throws not_found */
export const get = adminQuery({
  args: adminOrganizationInput,
  restMs: REST_MS,
  handler: async (ctx, { organizationId: id }): Promise<AdminOrganizationDetails> => ({
    ...(await store.getListed(ctx, id)),
    ...(await getFacts(ctx, id)),
    months: await listMonths(ctx, id),
    connections: await listConnections(ctx, id),
    failures: await listFailures(ctx, id),
  }),
})

/** Takes effect with the next message. @throws not_found, plan_not_found */
export const setPlan = adminMutation({
  args: setPlanInput,
  isAudited: true,
  handler: async (ctx, { organizationId, planSlug }) => {
    const organization = await store.getListed(ctx, organizationId)
    const before = organization.plan?.slug ?? null
    if (planSlug !== null && planSlug !== before) await getOfferedPlan(ctx, planSlug)
    await changeStanding(ctx, organizationId, { plan: planSlug })
    await ctx.audit({ ...subjectOf(organization), before: { plan: before }, after: { plan: planSlug } })
    return null
  },
})

/** Takes effect with the next message. @throws not_found, invalid_limit */
export const setMonthlyLimit = adminMutation({
  args: setMonthlyLimitInput,
  isAudited: true,
  handler: async (ctx, { organizationId, monthlyLimit }) => {
    const organization = await store.getListed(ctx, organizationId)
    if (!isMonthlyLimit(monthlyLimit)) throw new AppError('invalid_limit')
    await changeStanding(ctx, organizationId, { monthlyLimit })
    const before = { monthlyLimit: organization.monthlyLimit }
    await ctx.audit({ ...subjectOf(organization), before, after: { monthlyLimit } })
    return null
  },
})

/** Silences the agents and keeps the members out, at once. What customers write is stored. @throws not_found; own_admin_access for the caller's own */
export const suspend = adminMutation({
  args: suspendInput,
  isAudited: true,
  handler: async (ctx, { organizationId, reason }) => {
    const organization = await store.getListed(ctx, organizationId)
    if (organizationId === ctx.caller.organizationId) throw new AppError('own_admin_access')
    await changeStanding(ctx, organizationId, { suspension: { reason, at: ctx.now } })
    await ctx.audit({ ...subjectOf(organization), reason })
    return null
  },
})

/** Ends a suspension. What a customer wrote meanwhile is answered together with their next message. @throws not_found */
export const resume = adminMutation({
  args: adminOrganizationInput,
  isAudited: true,
  handler: async (ctx, { organizationId }) => {
    const organization = await store.getListed(ctx, organizationId)
    await changeStanding(ctx, organizationId, { suspension: null })
    await ctx.audit(subjectOf(organization))
    return null
  },
})

/** The entry stands in the trail of the organization, too. */
function subjectOf({ _id, name }: AdminOrganization) {
  return { organizationId: _id, resource: { kind: 'organization', id: _id, name } }
}
