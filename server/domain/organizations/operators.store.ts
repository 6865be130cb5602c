// SQL for operators. How many conversations they handle is counted from the conversations, never stored.
import { type SqlBool, sql } from 'kysely'
import { wakeRouting } from '#server/domain/messaging/handoff/routing.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { OPERATOR_CAPACITY_DEFAULT } from '#shared/limits.ts'
import type { Operator, OperatorSettings } from '#shared/messaging/operators.ts'
import { ANSWERING_ROLES } from '#shared/organizations/policy.ts'
import { type Candidate, type HoursState, hoursStateAt } from './operators.rules.ts'

const DEFAULTS: OperatorSettings = { acceptsAssignments: false, capacity: OPERATOR_CAPACITY_DEFAULT, hours: null }

/** Every member who may answer customers, by name. */
export async function listOperators(ctx: OrgStoreContext): Promise<Operator[]> {
  const rows = await ctx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('operators', (join) =>
      join.onRef('operators.user_id', '=', 'members.user_id').on('operators.organization_id', '=', ctx.organizationId),
    )
    .where('members.organization_id', '=', ctx.organizationId)
    .where('members.role', 'in', ANSWERING_ROLES)
    .select(['users.id', 'users.name', 'users.image', 'users.job_title'])
    .select(['operators.accepts_assignments', 'operators.capacity', 'operators.hours'])
    .select(['operators.is_within_hours', 'operators.hours_change_at'])
    .orderBy('users.name')
    .orderBy('users.id')
    .execute()
  const held = await countHeld(ctx)
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    avatar: row.image || null,
    jobTitle: row.job_title,
    acceptsAssignments: row.accepts_assignments ?? DEFAULTS.acceptsAssignments,
    capacity: row.capacity ?? DEFAULTS.capacity,
    hours: row.hours ?? DEFAULTS.hours,
    isWithinHours: row.is_within_hours ?? true,
    hoursChangeAt: row.hours_change_at?.getTime() ?? null,
    held: held.get(row.id) ?? 0,
  }))
}

/** Whether a row of conversations counts towards its assignee's capacity. Must agree with `isHeld` in the migration of the queue. */
export function countsTowardsCapacity(table: string) {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return sql<SqlBool>`(${of('assignee_id')} is not null and ${of('queued_at')} is null and ${of('folder')} = 'inbox'
    and ${of('channel')} <> 'test' and ((${of('needs_person')} and ${of('status')} <> 'ended')
      or (${of('status')} = 'paused' and ${of('pause_reason')} is distinct from 'customer_stop')))`
}

/** How many conversations each member handles; those shown as one count once. */
async function countHeld(ctx: OrgStoreContext): Promise<Map<Id<'users'>, number>> {
  const rows = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where(countsTowardsCapacity('conversations'))
    .select(['assignee_id', sql<number>`count(distinct coalesce(thread_id, id))`.as('count')])
    .groupBy('assignee_id')
    .execute()
  return new Map(rows.flatMap((row) => (row.assignee_id ? [[row.assignee_id, Number(row.count)] as const] : [])))
}

/** Changes the settings of a member, and has the queue re-examined. */
export async function updateOperator(
  ctx: OrgStoreContext,
  userId: Id<'users'>,
  patch: { [Name in keyof OperatorSettings]?: OperatorSettings[Name] | undefined },
  now: { timeZone: string; at: number },
): Promise<void> {
  const { acceptsAssignments, capacity, hours } = patch
  const state = hours === undefined ? null : hoursStateAt(hours, now.timeZone, now.at)
  const values = {
    ...(acceptsAssignments !== undefined && { accepts_assignments: acceptsAssignments }),
    ...(capacity !== undefined && { capacity }),
    ...(hours !== undefined && { hours: hours && JSON.stringify(hours) }),
    ...(state && columnsOf(state)),
  }
  if (Object.keys(values).length === 0) return
  await ctx.db
    .insertInto('operators')
    .values({ capacity: DEFAULTS.capacity, ...values, organization_id: ctx.organizationId, user_id: userId })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(values))
    .execute()
  await wakeRouting(ctx)
}

/** Forgets the settings of a member who is assigned nothing any more. */
export async function deleteOperator(ctx: OrgStoreContext, userId: Id<'users'>): Promise<void> {
  await ctx.db
    .deleteFrom('operators')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .execute()
}

/** Has all hours looked at again, by the clock: the time zone has changed. */
export async function recheckHours(ctx: OrgStoreContext): Promise<void> {
  await ctx.db
    .updateTable('operators')
    .set({ hours_change_at: sql<Date>`now()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('hours', 'is not', null)
    .execute()
}

/** Follows the clock where hours have begun or ended. What others are changing just now is left to the next look. */
export async function followHours(ctx: StoreContext): Promise<void> {
  const due = await ctx.db
    .selectFrom('operators')
    .innerJoin('organizations', 'organizations.id', 'operators.organization_id')
    .where('operators.hours_change_at', '<=', sql<Date>`now()`)
    .select(['operators.organization_id', 'operators.user_id', 'operators.hours', 'organizations.time_zone'])
    .forUpdate('operators')
    .skipLocked()
    .execute()
  for (const row of due) {
    const state = hoursStateAt(row.hours, row.time_zone, Date.now())
    await ctx.db
      .updateTable('operators')
      .set(columnsOf(state))
      .where('organization_id', '=', row.organization_id)
      .where('user_id', '=', row.user_id)
      .execute()
    await wakeRouting({ db: ctx.db, organizationId: row.organization_id })
  }
}

/**
 * Available members with the number of conversations they handle. Locks their rows until the transaction ends: another transaction that
 * assigns conversations in this organization waits, and counts those assigned here.
 */
export async function holdCandidates(ctx: OrgStoreContext): Promise<Candidate[]> {
  const rows = await ctx.db
    .selectFrom('operators')
    .innerJoin('members', 'members.user_id', 'operators.user_id')
    .innerJoin('users', 'users.id', 'operators.user_id')
    .where('operators.organization_id', '=', ctx.organizationId)
    .where('members.organization_id', '=', ctx.organizationId)
    .where('members.role', 'in', ANSWERING_ROLES)
    .where('operators.accepts_assignments', '=', true)
    .where('operators.is_within_hours', '=', true)
    .select(['operators.user_id', 'users.name', 'operators.capacity', 'operators.last_assigned_at'])
    .orderBy('operators.user_id')
    .forUpdate('operators')
    .execute()
  const held = rows.length > 0 ? await countHeld(ctx) : new Map<Id<'users'>, number>()
  return rows.map((row) => ({
    userId: row.user_id,
    name: row.name,
    capacity: row.capacity,
    held: held.get(row.user_id) ?? 0,
    lastAssignedAt: row.last_assigned_at,
  }))
}

/** A member was assigned a conversation: the others are next. */
export async function noteAssigned(ctx: OrgStoreContext, userId: Id<'users'>): Promise<void> {
  await ctx.db
    .updateTable('operators')
    .set({ last_assigned_at: sql<Date>`clock_timestamp()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * When the next hours of a member who takes conversations begin. Null: unknown, or they have begun, and those who work then are merely
 * busy.
 */
export async function nextHoursAt(ctx: OrgStoreContext): Promise<Date | null> {
  const row = await ctx.db
    .selectFrom('operators')
    .where('organization_id', '=', ctx.organizationId)
    .where('accepts_assignments', '=', true)
    .select(({ fn }) => [
      fn.agg<boolean>('bool_or', ['is_within_hours']).as('has_begun'),
      fn.min('hours_change_at').as('at'),
    ])
    .executeTakeFirst()
  return row?.has_begun ? null : (row?.at ?? null)
}

function columnsOf({ isWithinHours, hoursChangeAt }: HoursState) {
  return { is_within_hours: isWithinHours, hours_change_at: hoursChangeAt === null ? null : new Date(hoursChangeAt) }
}
