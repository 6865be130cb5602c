// SQL of the requests to change or cancel a plan.
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { PlanRequest } from '#shared/organizations/plans.ts'

type NewRequest = Pick<PlanRequest, 'kind' | 'note'> & { plan: string | null; requestedBy: Id<'users'> }

/** The open request of the organization; null: none. */
export async function findOpenRequest(ctx: OrgStoreContext): Promise<PlanRequest | null> {
  const row = await ctx.db
    .selectFrom('plan_requests as request')
    .leftJoin('plans', 'plans.slug', 'request.plan')
    .leftJoin('users', 'users.id', 'request.requested_by')
    .where('request.organization_id', '=', ctx.organizationId)
    .where('request.withdrawn_at', 'is', null)
    .where('request.settled_at', 'is', null)
    .select(['request.id', 'request.kind', 'request.plan', 'request.note', 'request.created_at'])
    .select(['plans.name as plan_name', 'users.name as person'])
    .executeTakeFirst()
  if (!row) return null
  return {
    _id: row.id,
    kind: row.kind,
    plan: row.plan === null ? null : { slug: row.plan, name: row.plan_name ?? row.plan },
    note: row.note,
    requestedBy: row.person,
    createdAt: row.created_at.getTime(),
  }
}

/** @throws AppError plan_request_pending when one is open */
export async function insertRequest(ctx: OrgStoreContext, request: NewRequest, now: Date): Promise<Id<'planRequests'>> {
  const id = newId('planRequests')
  const inserted = await ctx.db
    .insertInto('plan_requests')
    .values({
      id,
      organization_id: ctx.organizationId,
      kind: request.kind,
      plan: request.plan,
      note: request.note,
      requested_by: request.requestedBy,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('organization_id').where('withdrawn_at', 'is', null).where('settled_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!inserted) throw new AppError('plan_request_pending')
  return id
}

/** Withdraws the open request. @returns its id; undefined: none was open */
export async function withdrawOpenRequest(ctx: OrgStoreContext, now: Date): Promise<Id<'planRequests'> | undefined> {
  const row = await ctx.db
    .updateTable('plan_requests')
    .set({ withdrawn_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('withdrawn_at', 'is', null)
    .where('settled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** What the sales team is written about a request. */
export type RequestFacts = {
  kind: PlanRequest['kind']
  organization: { id: Id<'organizations'>; name: string; plan: string | null }
  wanted: string | null
  note: string
  person: { name: string; email: string } | null
}

/** Undefined: the organization is gone. */
export async function findRequestFacts(ctx: StoreContext, id: Id<'planRequests'>): Promise<RequestFacts | undefined> {
  const row = await ctx.db
    .selectFrom('plan_requests as request')
    .innerJoin('organizations', 'organizations.id', 'request.organization_id')
    .leftJoin('users', 'users.id', 'request.requested_by')
    .where('request.id', '=', id)
    .select(['request.kind', 'request.plan', 'request.note', 'request.organization_id'])
    .select(['organizations.name', 'organizations.plan as own', 'users.name as person', 'users.email'])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    kind: row.kind,
    organization: { id: row.organization_id, name: row.name, plan: row.own },
    wanted: row.plan,
    note: row.note,
    person: row.person === null || row.email === null ? null : { name: row.person, email: row.email },
  }
}
