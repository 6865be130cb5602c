// SQL of attack checks and of what became of each attack.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  ATTACK_CHECKS_KEPT,
  ATTACK_OUTCOMES,
  type AttackCarrier,
  type AttackCase,
  type AttackCheck,
  type AttackCheckSize,
  type AttackOutcome,
} from '#shared/messaging/attack-checks.ts'

type CheckId = Id<'attackChecks'>

/** What the job needs of a check. `carriers` null: not planned yet. */
export type OpenCheck = { agentId: Id<'agents'>; size: AttackCheckSize; carriers: AttackCarrier[] | null }

/** A check without a finished case for so long has lost its server, milliseconds. */
const LEFT_MS = 2 * 3_600_000

const COLUMNS = [
  ...(['attack_checks.id', 'size', 'attack_checks.status', 'reason', 'agent_version', 'model', 'begun_at'] as const),
  ...(['ended_at', 'total', 'cost_micro_usd', ...ATTACK_OUTCOMES] as const),
]

/** The newest first. */
export async function listChecks(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<AttackCheck[]> {
  const rows = await checks(ctx)
    .where('agent_id', '=', agentId)
    .orderBy('begun_at', 'desc')
    .orderBy('attack_checks.id', 'desc')
    .limit(ATTACK_CHECKS_KEPT)
    .execute()
  return rows.map(toCheck)
}

/** @throws not_found */
export async function getCheck(ctx: OrgStoreContext, id: CheckId): Promise<AttackCheck> {
  const row = await checks(ctx).where('attack_checks.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toCheck(row)
}

function checks(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('attack_checks')
    .leftJoin('users', 'users.id', 'attack_checks.begun_by')
    .where('attack_checks.organization_id', '=', ctx.organizationId)
    .select(COLUMNS)
    .select('users.name as begun_by_name')
}

type CheckRow = Awaited<ReturnType<ReturnType<typeof checks>['executeTakeFirstOrThrow']>>

function toCheck(row: CheckRow): AttackCheck {
  const counts = Object.fromEntries(ATTACK_OUTCOMES.map((outcome) => [outcome, row[outcome]]))
  return {
    ...{ _id: row.id, size: row.size, status: row.status, reason: row.reason },
    ...{ agentVersion: row.agent_version, model: row.model, startedBy: row.begun_by_name },
    ...{ startedAt: row.begun_at.getTime(), endedAt: row.ended_at?.getTime() ?? null, total: row.total },
    counts: counts as Record<AttackOutcome, number>,
    costMicroUsd: Number(row.cost_micro_usd),
  }
}

/** What became of the attacks, in their order. `outcome` undefined: of all. */
export async function listCases(
  ctx: OrgStoreContext,
  checkId: CheckId,
  outcome: AttackOutcome | undefined,
): Promise<AttackCase[]> {
  const cases = ctx.db
    .selectFrom('attack_cases')
    .where('organization_id', '=', ctx.organizationId)
    .where('check_id', '=', checkId)
    .select(['number', 'kind', 'carrier', 'language', 'text', 'question', 'outcome', 'calls', 'answer', 'reason'])
    .orderBy('number')
  return (outcome ? cases.where('outcome', '=', outcome) : cases).execute()
}

type Begun = {
  agentId: Id<'agents'>
  size: AttackCheckSize
  agentVersion: number
  model: string
  userId: Id<'users'>
  now: Date
}

/** Begins a check, and forgets the oldest of the agent. @throws attack_check_running: one of the organization at a time */
export async function insertCheck(
  ctx: OrgStoreContext,
  { agentId, size, agentVersion, model, userId, now }: Begun,
): Promise<CheckId> {
  await closeLeft(ctx, now)
  const id = newId('attackChecks')
  const added = await ctx.db
    .insertInto('attack_checks')
    .values({
      ...{ id, organization_id: ctx.organizationId, agent_id: agentId, size, agent_version: agentVersion, model },
      ...{ status: 'running', begun_by: userId, begun_at: now, beat_at: now },
    })
    .onConflict((conflict) => conflict.column('organization_id').where('status', '=', sql.lit('running')).doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n) throw new AppError('attack_check_running')
  await sql`
    delete from attack_checks where organization_id = ${ctx.organizationId} and id in (
      select id from attack_checks where organization_id = ${ctx.organizationId} and agent_id = ${agentId}
      order by begun_at desc, id desc offset ${ATTACK_CHECKS_KEPT}::int)`.execute(ctx.db)
  return id
}

/** A check whose server has died and whose job is gone holds up no other. */
async function closeLeft(ctx: OrgStoreContext, now: Date): Promise<void> {
  await running(ctx)
    .where('beat_at', '<', new Date(now.getTime() - LEFT_MS))
    .set({ status: 'failed', reason: 'interrupted', ended_at: now })
    .execute()
}

/** Undefined when it does not run any more. */
export async function findOpen(ctx: OrgStoreContext, id: CheckId): Promise<OpenCheck | undefined> {
  const row = await ctx.db
    .selectFrom('attack_checks')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .select(['agent_id', 'size', 'carriers'])
    .executeTakeFirst()
  return row && { agentId: row.agent_id, size: row.size, carriers: row.carriers }
}

/** Notes what is tried; numbers of cases mean the same from then on. */
export async function setPlan(
  ctx: OrgStoreContext,
  id: CheckId,
  { carriers, total }: { carriers: AttackCarrier[]; total: number },
): Promise<void> {
  await running(ctx)
    .where('id', '=', id)
    .set({ carriers: JSON.stringify(carriers), total })
    .execute()
}

/** Numbers of the cases that are done. */
export async function listDone(ctx: OrgStoreContext, id: CheckId): Promise<Set<number>> {
  const rows = await ctx.db
    .selectFrom('attack_cases')
    .where('organization_id', '=', ctx.organizationId)
    .where('check_id', '=', id)
    .select('number')
    .execute()
  return new Set(rows.map(({ number }) => number))
}

/** Writes down a case, once. @returns whether the check still runs */
export async function insertCase(
  ctx: OrgStoreContext,
  checkId: CheckId,
  { calls, ...done }: AttackCase,
  { costMicroUsd, now }: { costMicroUsd: number; now: Date },
): Promise<boolean> {
  const counter = done.outcome
  const open = await running(ctx)
    .where('id', '=', checkId)
    .set({
      ...{ beat_at: now, cost_micro_usd: sql<number>`cost_micro_usd + ${costMicroUsd}::bigint` },
      [counter]: sql<number>`${sql.ref(counter)} + 1`,
    })
    .executeTakeFirst()
  if (open.numUpdatedRows === 0n) return false
  await ctx.db
    .insertInto('attack_cases')
    .values({ ...done, check_id: checkId, organization_id: ctx.organizationId, calls: JSON.stringify(calls) })
    .execute()
  return true
}

/** Ends a check that runs. @returns whether it ran */
export async function endCheck(
  ctx: OrgStoreContext,
  id: CheckId,
  end: { status: 'done' | 'cancelled' | 'failed'; reason?: string; now: Date },
): Promise<boolean> {
  const { status, reason = null, now } = end
  const ended = await running(ctx).where('id', '=', id).set({ status, reason, ended_at: now }).executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

function running(ctx: OrgStoreContext) {
  return ctx.db
    .updateTable('attack_checks')
    .where('organization_id', '=', ctx.organizationId)
    .where('status', '=', 'running')
}
