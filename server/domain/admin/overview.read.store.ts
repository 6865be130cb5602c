// SQL of what the installation uses: past days from their sums, later ones from events.
import { sql } from 'kysely'
import { findSummedUntil, WINDOWS } from '#server/domain/billing/usage-days.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import { type InstallationSpend, type OrganizationSpend, TOP_ORGANIZATIONS } from '#shared/organizations/overview.ts'

/** Starts of days of the UTC calendar, milliseconds. The end is not included. */
export type Span = { from: number; until: number }
/** What one model was used for on one day; the name is empty where none was called. */
export type ModelDay = InstallationSpend & { day: string; name: string; calls: number }

const DAY_MS = 86_400_000
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const number = (expression: string) => sql<number>`coalesce(sum(${sql.raw(expression)}), 0)::float8`
const count = (condition: string) => sql<number>`(count(*) filter (where ${sql.raw(condition)}))::float8`

/** Of rows that are sums. */
const SUMS = [
  number('messages').as('messages'),
  number('tokens').as('tokens'),
  number('cost_micro_usd').as('costMicroUsd'),
  number('unpriced_calls').as('unpricedCalls'),
]
/** Of events. */
const EVENT_SUMS = [
  number(`case when category = 'system_message' then 0 else messages end`).as('messages'),
  number('input_tokens + output_tokens').as('tokens'),
  number('cost_micro_usd').as('costMicroUsd'),
  count('model is not null and cost_micro_usd is null').as('unpricedCalls'),
]

/** Days of a span by model; those without any use are missing. `summed`: as `findSummed` says. */
export async function listModelDays(ctx: StoreContext, span: Span, summed: number | null): Promise<ModelDay[]> {
  const { past, rest } = split(span, summed)
  const day = sql<string>`to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD')`
  const name = sql<string>`coalesce(model, '')`
  const sums = await ctx.db
    .selectFrom('model_days')
    .where('day', '>=', dayOf(past.from))
    .where('day', '<', dayOf(past.until))
    .groupBy(['day', 'model'])
    .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'model as name', number('calls').as('calls'), ...SUMS])
    .execute()
  const events = await ctx.db
    .selectFrom('usage_events')
    .where('occurred_at', '>=', new Date(rest.from))
    .where('occurred_at', '<', new Date(rest.until))
    .groupBy([day, name])
    .select([day.as('day'), name.as('name'), count('model is not null').as('calls'), ...EVENT_SUMS])
    .execute()
  return [...sums, ...events]
}

/** Organizations by the messages of a span, and how many have used anything in it. `summed`: as `findSummed` says. */
export async function listTopOrganizations(
  ctx: StoreContext,
  span: Span,
  summed: number | null,
): Promise<{ active: number; top: OrganizationSpend[] }> {
  const { past, rest } = split(span, summed)
  const events = ctx.db
    .selectFrom('usage_events')
    .where('occurred_at', '>=', new Date(rest.from))
    .where('occurred_at', '<', new Date(rest.until))
    .groupBy('organization_id')
    .select(['organization_id', ...EVENT_SUMS])
  const used = ctx.db
    .selectFrom(pastSums(ctx, past).unionAll(events).as('part'))
    .groupBy('organization_id')
    .select([
      'organization_id',
      number('messages').as('messages'),
      number('tokens').as('tokens'),
      number('"costMicroUsd"').as('costMicroUsd'),
      number('"unpricedCalls"').as('unpricedCalls'),
      sql<number>`(count(*) over ())::float8`.as('active'),
    ])
    .orderBy('messages', 'desc')
    .orderBy('costMicroUsd', 'desc')
    .orderBy('organization_id')
    .limit(TOP_ORGANIZATIONS)
  const rows = await ctx.db
    .selectFrom(used.as('u'))
    .innerJoin('organizations as o', 'o.id', 'u.organization_id')
    .orderBy('u.messages', 'desc')
    .orderBy('u.costMicroUsd', 'desc')
    .orderBy('o.id')
    .select([
      'o.id as _id',
      'o.name',
      'o.plan',
      'u.messages',
      'u.tokens',
      'u.costMicroUsd',
      'u.unpricedCalls',
      'u.active',
    ])
    .execute()
  return { active: rows[0]?.active ?? 0, top: rows.map(({ active: _, ...row }) => row) }
}

/** By organization: of a window that has sums, else of its days. */
function pastSums({ db }: StoreContext, { from, until }: Span) {
  const days = Math.round((until - from) / DAY_MS)
  if (WINDOWS.includes(days))
    return db
      .selectFrom('usage_windows')
      .where('days', '=', days)
      .where('until', '=', dayOf(until))
      .groupBy('organization_id')
      .select(['organization_id', ...SUMS])
  return db
    .selectFrom('usage_days')
    .where('day', '>=', dayOf(from))
    .where('day', '<', dayOf(until))
    .groupBy('organization_id')
    .select(['organization_id', ...SUMS])
}

/** How many rows there are, and how many were made since the middle and between start and middle. */
export async function countRows({ db }: StoreContext, table: 'organizations' | 'users', start: Date, middle: Date) {
  const row = await db
    .selectFrom(table)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.countAll<number>().filterWhere('created_at', '>=', middle).as('fresh'),
      fn
        .countAll<number>()
        .filterWhere('created_at', '>=', start)
        .filterWhere('created_at', '<', middle)
        .as('freshBefore'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), fresh: Number(row.fresh), freshBefore: Number(row.freshBefore) }
}

/** Until when days have sums, milliseconds; null: none has. Read once for all that is read of one moment. */
export async function findSummed(ctx: StoreContext): Promise<number | null> {
  const until = await findSummedUntil(ctx)
  return until === null ? null : Date.parse(until)
}

/** Days of a span that have sums, and the rest, whose events are read. */
function split({ from, until }: Span, summed: number | null): { past: Span; rest: Span } {
  const at = summed === null ? from : Math.min(until, Math.max(from, summed))
  return { past: { from, until: at }, rest: { from: at, until } }
}
