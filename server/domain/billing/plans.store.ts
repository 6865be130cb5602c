// SQL of plans, and of the people that an organization's own plan has room for.
import type { Selectable } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { PlansTable } from '#server/platform/db/tables/accounts.ts'
import { AppError } from '#shared/errors.ts'
import type { Plan, PlanUse } from '#shared/organizations/plans.ts'

/** Plans that can be chosen, in order. */
export async function listPlans(ctx: StoreContext): Promise<Plan[]> {
  const offered = ctx.db.selectFrom('plans').where('archived_at', 'is', null).selectAll()
  const rows = await offered.orderBy('sort_order').orderBy('slug').execute()
  return rows.map(toPlan)
}

/** The plan of the organization, also one that is archived; null: none. `allowance`: its own monthly limit, or the plan's. */
export async function getOwnPlan(ctx: OrgStoreContext): Promise<{ plan: Plan | null; allowance: number | null }> {
  const organization = await ctx.db
    .selectFrom('organizations')
    .where('id', '=', ctx.organizationId)
    .select(['plan', 'monthly_limit'])
    .executeTakeFirstOrThrow()
  const row = organization.plan === null ? undefined : await findPlan(ctx, organization.plan)
  return { plan: row ? toPlan(row) : null, allowance: organization.monthly_limit ?? row?.monthly_messages ?? null }
}

/** @throws AppError plan_not_found for one that does not exist or is archived */
export async function getOfferedPlan(ctx: StoreContext, slug: string): Promise<Plan> {
  const row = await findPlan(ctx, slug)
  if (!row || row.archived_at !== null) throw new AppError('plan_not_found')
  return toPlan(row)
}

/** Members of the organization, and how many its plan has room for. */
export async function readSeats(ctx: OrgStoreContext): Promise<PlanUse> {
  const { plan } = await getOwnPlan(ctx)
  const { used } = await ctx.db
    .selectFrom('members')
    .where('organization_id', '=', ctx.organizationId)
    .select(({ fn }) => fn.countAll<number>().as('used'))
    .executeTakeFirstOrThrow()
  return { used: Number(used), allowed: plan?.members ?? null }
}

/**
 * Refuses more people than the plan has room for. Those who are members stay, also on a smaller plan.
 *
 * @param added people who are to become members
 * @throws AppError members_limit_reached, with the number of the plan
 */
export async function requireSeats(ctx: OrgStoreContext, added: number): Promise<void> {
  const { used, allowed } = await readSeats(ctx)
  if (allowed !== null && used + added > allowed) throw new AppError('members_limit_reached', { members: allowed })
}

function findPlan(ctx: StoreContext, slug: string) {
  return ctx.db.selectFrom('plans').where('slug', '=', slug).selectAll().executeTakeFirst()
}

/** A plan as organizations see it. */
export function toPlan(row: Selectable<PlansTable>): Plan {
  return {
    slug: row.slug,
    name: row.name,
    price: row.price,
    currency: row.currency,
    messages: row.monthly_messages,
    members: row.members,
    channelSlots: row.channel_slots,
    features: row.features,
  }
}
