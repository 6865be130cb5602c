// Plans as administrators of the installation keep them: validation of input, and the shapes that they receive.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'
import { CURRENCIES, type Plan, type PlanRequest } from './plans.ts'

export const PLAN_SLUG_MAX = 60
export const PLAN_NAME_MAX = 100
export const PLAN_DESCRIPTION_MAX = 500
const PLAN_FEATURES_MAX = 30
/** The largest number that a column keeps. */
const PLAN_NUMBER_MAX = 2_147_483_647

const slug = z.string().check(z.trim(), z.maxLength(PLAN_SLUG_MAX))
const count = (minimum: number) =>
  z.optional(z.nullable(z.number().check(z.int(), z.minimum(minimum), z.maximum(PLAN_NUMBER_MAX))))
const features = z
  .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(200)))
  .check(z.maxLength(PLAN_FEATURES_MAX))

const fields = {
  description: z.optional(z.string().check(z.trim(), z.maxLength(PLAN_DESCRIPTION_MAX))),
  price: count(0),
  currency: z.optional(z.enum(CURRENCIES)),
  messages: count(0),
  members: count(1),
  channelSlots: count(0),
  features: z.optional(z.strictObject({ ru: features, en: features })),
  /** Null or left out: behind the others. */
  sortOrder: z.optional(z.nullable(z.number())),
}
const name = z.string().check(z.trim(), z.maxLength(PLAN_NAME_MAX))

export const createPlanInput = z.strictObject({ slug, name, ...fields })
export const updatePlanInput = z.strictObject({ slug, patch: z.strictObject({ name: z.optional(name), ...fields }) })
export const planInput = z.strictObject({ slug })
export const reorderPlansInput = z.strictObject({ slugs: z.array(slug).check(z.minLength(1), z.maxLength(200)) })
/** `planSlug`: what the organization gets; left out: the request is closed and nothing changes. */
export const settleRequestInput = z.strictObject({ requestId: id('planRequests'), planSlug: z.optional(slug) })

export type PlanFields = z.infer<typeof updatePlanInput>['patch']

/** A plan with what administrators see of it. */
export type AdminPlan = Plan & {
  description: string
  sortOrder: number
  isDefault: boolean
  isArchived: boolean
  /** Organizations that have it. */
  organizations: number
}

/** An open request, and of whom. */
export type AdminPlanRequest = PlanRequest & {
  organization: { _id: Id<'organizations'>; name: string; plan: string | null }
}

type Fault = 'missing_plan_name' | 'missing_slug' | 'invalid_slug' | 'invalid_sort_order'

/** What is wrong with a plan as it was entered; undefined: nothing. Fields that are left out are not judged. */
export function planFault(plan: {
  slug?: string
  name?: string | undefined
  sortOrder?: number | null | undefined
}): Fault | undefined {
  if (plan.name !== undefined && plan.name.trim() === '') return 'missing_plan_name'
  if (plan.slug !== undefined && plan.slug.trim() === '') return 'missing_slug'
  if (plan.slug !== undefined && !/^[a-z0-9-]+$/.test(plan.slug.trim())) return 'invalid_slug'
  const order = plan.sortOrder ?? 0
  if (!Number.isInteger(order) || Math.abs(order) > PLAN_NUMBER_MAX) return 'invalid_sort_order'
  return undefined
}
