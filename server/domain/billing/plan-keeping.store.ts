// SQL by which administrators of the installation keep plans, and settle the requests of organizations.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { AdminPlan, AdminPlanRequest, PlanFields } from '#shared/organizations/admin-plans.ts'
import { toPlan } from './plans.store.ts'

/** Of the open requests, those that are listed: the oldest. */
const REQUESTS_SHOWN = 200

/** Every plan, also those that are archived, in order. */
export async function listAllPlans(ctx: StoreContext): Promise<AdminPlan[]> {
  const rows = await plans(ctx).orderBy('sort_order').orderBy('slug').execute()
  return rows.map(toAdminPlan)
}

/** One plan, locked. @throws AppError plan_not_found */
export async function lockPlan(ctx: StoreContext, slug: string): Promise<AdminPlan> {
  const row = await plans(ctx).where('plans.slug', '=', slug).forUpdate('plans').executeTakeFirst()
  if (!row) throw new AppError('plan_not_found')
  return toAdminPlan(row)
}

/** Adds a plan, behind the others unless its place is given. @throws AppError plan_exists */
export async function insertPlan(ctx: StoreContext, slug: string, plan: PlanFields & { name: string }): Promise<void> {
  const inserted = await ctx.db
    .insertInto('plans')
    .values((eb) => ({
      slug,
      archived_at: null,
      monthly_messages: null,
      channel_slots: null,
      price: null,
      members: null,
      features: JSON.stringify({ ru: [], en: [] }),
      sort_order: eb.selectFrom('plans').select(sql<number>`coalesce(max(sort_order), 0) + 1`.as('next')),
      ...columnsOf(plan),
      name: plan.name,
    }))
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('slug')
    .executeTakeFirst()
  if (!inserted) throw new AppError('plan_exists', { slug })
}

/** Changes what is given of a plan. */
export async function updatePlan({ db }: StoreContext, slug: string, patch: PlanFields): Promise<void> {
  const values = columnsOf(patch)
  if (Object.keys(values).length > 0) await db.updateTable('plans').set(values).where('slug', '=', slug).execute()
}

/** Archives a plan, or with null offers it again. */
export async function setArchived({ db }: StoreContext, slug: string, at: Date | null): Promise<void> {
  await db.updateTable('plans').set({ archived_at: at }).where('slug', '=', slug).execute()
}

/** Moves the mark of the default plan. */
export async function moveDefault({ db }: StoreContext, slug: string): Promise<void> {
  await db.updateTable('plans').set({ is_default: false }).where('is_default', '=', true).execute()
  await db.updateTable('plans').set({ is_default: true }).where('slug', '=', slug).execute()
}

/** Gives plans the places of their slugs. @throws AppError plan_not_found when one does not exist */
export async function setOrder({ db }: StoreContext, slugs: string[]): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('plans')
    .set({ sort_order: sql<number>`array_position(${slugs}::text[], slug)` })
    .where('slug', 'in', slugs)
    .executeTakeFirst()
  if (Number(numUpdatedRows) !== new Set(slugs).size) throw new AppError('plan_not_found')
}

/** Open requests of all organizations, the oldest first. */
export async function listOpenRequests(ctx: StoreContext): Promise<AdminPlanRequest[]> {
  const rows = await requests(ctx).orderBy('request.created_at').orderBy('request.id').limit(REQUESTS_SHOWN).execute()
  return rows.map(toRequest)
}

/** Closes an open request. @throws AppError plan_request_not_found */
export async function settleRequest(ctx: StoreContext, id: Id<'planRequests'>, now: Date): Promise<AdminPlanRequest> {
  const row = await requests(ctx).where('request.id', '=', id).forUpdate('request').executeTakeFirst()
  if (!row) throw new AppError('plan_request_not_found')
  await ctx.db.updateTable('plan_requests').set({ settled_at: now }).where('id', '=', id).execute()
  return toRequest(row)
}

function plans({ db }: StoreContext) {
  return db
    .selectFrom('plans')
    .selectAll('plans')
    .select((eb) =>
      eb
        .selectFrom('organizations')
        .whereRef('organizations.plan', '=', 'plans.slug')
        .select((rows) => rows.fn.countAll<number>().as('count'))
        .as('organizations'),
    )
}

function toAdminPlan(row: Awaited<ReturnType<ReturnType<typeof plans>['execute']>>[number]): AdminPlan {
  return {
    ...toPlan(row),
    description: row.description,
    sortOrder: row.sort_order,
    isDefault: row.is_default,
    isArchived: row.archived_at !== null,
    organizations: Number(row.organizations),
  }
}

function columnsOf(patch: PlanFields) {
  const { name, description, price, currency, messages, members, channelSlots, features, sortOrder } = patch
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(price !== undefined && { price }),
    ...(currency !== undefined && { currency }),
    ...(messages !== undefined && { monthly_messages: messages }),
    ...(members !== undefined && { members }),
    ...(channelSlots !== undefined && { channel_slots: channelSlots }),
    ...(features !== undefined && { features: JSON.stringify(features) }),
    ...(typeof sortOrder === 'number' && { sort_order: sortOrder }),
  }
}

function requests({ db }: StoreContext) {
  return db
    .selectFrom('plan_requests as request')
    .innerJoin('organizations', 'organizations.id', 'request.organization_id')
    .leftJoin('plans', 'plans.slug', 'request.plan')
    .leftJoin('users', 'users.id', 'request.requested_by')
    .where('request.withdrawn_at', 'is', null)
    .where('request.settled_at', 'is', null)
    .select(['request.id', 'request.kind', 'request.plan', 'request.note', 'request.created_at'])
    .select(['request.organization_id', 'organizations.name', 'organizations.plan as own'])
    .select(['plans.name as plan_name', 'users.name as person'])
}

function toRequest(row: Awaited<ReturnType<ReturnType<typeof requests>['execute']>>[number]): AdminPlanRequest {
  return {
    _id: row.id,
    kind: row.kind,
    plan: row.plan === null ? null : { slug: row.plan, name: row.plan_name ?? row.plan },
    note: row.note,
    requestedBy: row.person,
    createdAt: row.created_at.getTime(),
    organization: { _id: row.organization_id, name: row.name, plan: row.own },
  }
}
