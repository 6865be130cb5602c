// Plans of the installation, and what organizations ask for.
import * as plans from '#server/domain/billing/plan-keeping.store.ts'
import { assignPlan } from '#server/domain/organizations/organization-plan.store.ts'
import { adminMutation, adminQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import {
  type AdminPlan,
  createPlanInput,
  type PlanFields,
  planFault,
  planInput,
  reorderPlansInput,
  settleRequestInput,
  updatePlanInput,
} from '#shared/organizations/admin-plans.ts'
import { noArgs } from '#shared/schema.ts'

/** Every plan, also those that are archived; live. */
export const list = adminQuery({ args: noArgs, handler: (ctx) => plans.listAllPlans(ctx) })

/** Open requests of organizations to change or cancel theirs; live. */
export const requests = adminQuery({ args: noArgs, handler: (ctx) => plans.listOpenRequests(ctx) })

/** Adds a plan. @throws missing_plan_name, missing_slug, invalid_slug, invalid_sort_order, plan_exists */
export const create = adminMutation({
  args: createPlanInput,
  isAudited: true,
  handler: async (ctx, { slug, ...plan }) => {
    assertSound({ slug, name: plan.name, sortOrder: plan.sortOrder })
    await plans.insertPlan(ctx, slug, plan)
    await ctx.audit({ resource: resourceOf({ slug, name: plan.name }), after: { ...plan } })
    return null
  },
})

/** Changes a plan, at once for all who have it. @throws plan_not_found, missing_plan_name, invalid_sort_order */
export const update = adminMutation({
  args: updatePlanInput,
  isAudited: true,
  handler: async (ctx, { slug, patch }) => {
    assertSound(patch)
    const before = await plans.lockPlan(ctx, slug)
    await plans.updatePlan(ctx, slug, patch)
    await ctx.audit({ resource: resourceOf(before), ...changesOf(before, patch) })
    return null
  },
})

/** No longer offers a plan. @throws plan_not_found, cannot_archive_default_plan, plan_in_use */
export const archive = adminMutation({
  args: planInput,
  isAudited: true,
  handler: async (ctx, { slug }) => {
    const plan = await plans.lockPlan(ctx, slug)
    if (plan.isDefault) throw new AppError('cannot_archive_default_plan')
    if (plan.organizations > 0) throw new AppError('plan_in_use', { organizations: plan.organizations })
    if (!plan.isArchived) await plans.setArchived(ctx, slug, ctx.now)
    await ctx.audit({ resource: resourceOf(plan) })
    return null
  },
})

/** Offers an archived plan again. @throws plan_not_found */
export const restore = adminMutation({
  args: planInput,
  isAudited: true,
  handler: async (ctx, { slug }) => {
    const plan = await plans.lockPlan(ctx, slug)
    await plans.setArchived(ctx, slug, null)
    await ctx.audit({ resource: resourceOf(plan) })
    return null
  },
})

/** Makes a plan that of new organizations. @throws plan_not_found, also for one that is archived */
export const setDefault = adminMutation({
  args: planInput,
  isAudited: true,
  handler: async (ctx, { slug }) => {
    const plan = await plans.lockPlan(ctx, slug)
    if (plan.isArchived) throw new AppError('plan_not_found')
    await plans.moveDefault(ctx, slug)
    await ctx.audit({ resource: resourceOf(plan) })
    return null
  },
})

/** Puts plans into an order. @throws plan_not_found */
export const reorder = adminMutation({
  args: reorderPlansInput,
  isAudited: true,
  handler: async (ctx, { slugs }) => {
    await plans.setOrder(ctx, slugs)
    await ctx.audit({ after: { order: slugs } })
    return null
  },
})

/** Gives the organization a plan, or closes its request as it is. @throws plan_request_not_found, plan_not_found */
export const settle = adminMutation({
  args: settleRequestInput,
  isAudited: true,
  handler: async (ctx, { requestId, planSlug }) => {
    const { organization } = await plans.settleRequest(ctx, requestId, ctx.now)
    if (planSlug !== undefined) {
      const { isArchived } = await plans.lockPlan(ctx, planSlug)
      if (isArchived) throw new AppError('plan_not_found')
      await assignPlan(ctx, organization._id, planSlug)
    }
    await ctx.audit({
      organizationId: organization._id,
      resource: { kind: 'planRequest', id: requestId, name: organization.name },
      before: { plan: organization.plan },
      after: { plan: planSlug ?? organization.plan },
    })
    return null
  },
})

function assertSound(plan: Parameters<typeof planFault>[0]): void {
  const fault = planFault(plan)
  if (fault) throw new AppError(fault)
}

function resourceOf({ slug, name }: { slug: string; name: string }) {
  return { kind: 'plan', id: slug, name }
}

function changesOf(before: AdminPlan, patch: PlanFields) {
  const names = (Object.keys(patch) as (keyof PlanFields)[]).filter((name) => patch[name] !== undefined)
  return {
    before: Object.fromEntries(names.map((name) => [name, before[name]])),
    after: Object.fromEntries(names.map((name) => [name, patch[name]])),
  }
}
