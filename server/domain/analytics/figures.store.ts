// SQL of the numbers of a period, and of its bars.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { AnalyticsFilters, Bar, Measures, Outcomes, Written } from '#shared/analytics/analytics.ts'
import type { Outcome } from '#shared/analytics/facts.ts'
import { begunWithin, daysOfMessages, type LocalDays, type Period, passing } from './facts.store.ts'

type Words = Omit<Written, 'conversations'>

const counted = (outcome: Outcome) => sql<number>`count(*) filter (where f.outcome = ${sql.lit(outcome)})::float8`

/** Conversations by outcome. */
const OUTCOMES = [
  sql<number>`count(*)::float8`.as('conversations'),
  counted('resolved').as('resolved'),
  counted('handed_off').as('handed_off'),
  counted('reopened').as('reopened'),
  counted('unanswered').as('unanswered'),
] as const

/** Median and 90th percentile, null for none. */
const percentiles = (column: 'f.first_response_ms' | 'f.resolution_ms') =>
  sql<[number, number] | null>`percentile_cont(array[0.5, 0.9]) within group (order by ${sql.ref(column)}::float8)`
const scored = (score: number) => sql<number>`count(*) filter (where f.rating = ${sql.lit(score)})::float8`

/** Columns of `Measures` over facts `f`. */
export const MEASURES = [
  ...OUTCOMES,
  sql<number>`count(*) filter (where f.reopened_count > 0)::float8`.as('ever_reopened'),
  sql<number>`count(*) filter (where f.did_not_know)::float8`.as('did_not_know'),
  sql<number>`count(f.first_response_ms)::float8`.as('answered'),
  percentiles('f.first_response_ms').as('first_response'),
  sql<number>`count(f.resolution_ms)::float8`.as('settled'),
  percentiles('f.resolution_ms').as('resolution'),
  ...([1, 2, 3, 4, 5] as const).map((score) => scored(score).as(`scored_${score}`)),
  sql<number>`coalesce(sum(f.cost_micro_usd), 0)::float8`.as('cost'),
  sql<number>`coalesce(sum(f.unpriced_calls), 0)::float8`.as('unpriced_calls'),
  sql<number>`count(*) filter (where f.unpriced_calls > 0)::float8`.as('unpriced'),
] as const

type OutcomesRow = { conversations: number; resolved: number; handed_off: number; reopened: number; unanswered: number }
/** A row of `MEASURES`. */
export type MeasuresRow = OutcomesRow & {
  ever_reopened: number
  did_not_know: number
  answered: number
  first_response: [number, number] | null
  settled: number
  resolution: [number, number] | null
  cost: number
  unpriced_calls: number
  unpriced: number
} & { [Score in `scored_${1 | 2 | 3 | 4 | 5}`]: number }

/** The numbers of the conversations begun in a period. */
export async function measure(ctx: OrgStoreContext, period: Period, filters: AnalyticsFilters): Promise<Measures> {
  const row = await begunWithin(ctx, period, filters).select(MEASURES).executeTakeFirstOrThrow()
  return measuresOf(row as MeasuresRow)
}

/** A row as numbers. */
export function measuresOf(row: MeasuresRow): Measures {
  const scores: Measures['ratings']['scores'] = [row.scored_1, row.scored_2, row.scored_3, row.scored_4, row.scored_5]
  const rated = scores.reduce((sum, count) => sum + count, 0)
  const points = scores.reduce((sum, count, at) => sum + count * (at + 1), 0)
  return {
    ...outcomesOf(row),
    everReopened: row.ever_reopened,
    didNotKnow: row.did_not_know,
    firstResponse: durationOf(row.answered, row.first_response),
    resolution: durationOf(row.settled, row.resolution),
    ratings: { count: rated, average: shareOf(points, rated), scores },
    cost: {
      microUsd: row.cost,
      perConversation: shareOf(row.cost, row.conversations),
      perResolution: shareOf(row.cost, row.resolved),
      unpricedCalls: row.unpriced_calls,
      unpricedConversations: row.unpriced,
    },
  }
}

function outcomesOf({ handed_off: handedOff, ...row }: OutcomesRow): Outcomes {
  const { conversations, resolved, reopened, unanswered } = row
  return { conversations, resolved, handedOff, reopened, unanswered }
}

function durationOf(count: number, percentiles: [number, number] | null): Measures['firstResponse'] {
  const [median, p90] = percentiles ?? []
  return {
    count,
    medianMs: median === undefined ? null : Math.round(median),
    p90Ms: p90 === undefined ? null : Math.round(p90),
  }
}

function shareOf(sum: number, among: number): number | null {
  return among === 0 ? null : sum / among
}

/** Messages written on some days, and in how many conversations. */
export async function countWritten(ctx: OrgStoreContext, days: LocalDays, filters: AnalyticsFilters): Promise<Written> {
  return ctx.db
    .selectFrom(writtenOn(ctx, days, filters).select(writtenColumns(days)).as('w'))
    .select(TOTALS)
    .executeTakeFirstOrThrow()
}

/** Messages by author, and the conversations that have none on the earlier of these days. */
const writtenColumns = ({ from }: LocalDays) =>
  [
    sql<number>`sum(message_days.customer)`.as('customer'),
    sql<number>`sum(message_days.agent)`.as('agent'),
    sql<number>`sum(message_days.operator)`.as('operator'),
    sql<number>`count(*) filter (where message_days.previous_day is null or message_days.previous_day < ${from}::date)`.as(
      'conversations',
    ),
  ] as const
/** Of a sub-query `w` with `writtenColumns`. */
const TOTALS = [
  sql<number>`coalesce(sum(w.customer), 0)::float8`.as('customer'),
  sql<number>`coalesce(sum(w.agent), 0)::float8`.as('agent'),
  sql<number>`coalesce(sum(w.operator), 0)::float8`.as('operator'),
  sql<number>`coalesce(sum(w.conversations), 0)::float8`.as('conversations'),
] as const

function writtenOn(ctx: OrgStoreContext, days: LocalDays, filters: AnalyticsFilters) {
  const query = ctx.db.selectFrom(daysOfMessages(ctx, days).as('message_days'))
  return passing(ctx, query.where('message_days.is_deleted', '=', sql.lit(false)), 'message_days', filters)
}

/** `firstDays`: on which the bars begin; null: they are hours. */
export type Bars = { edges: number[]; firstDays: string[] | null; days: LocalDays }

/** The bars between these edges, oldest first, those without anything too; and what was written on the days of all of them. */
export async function readBars(
  ctx: OrgStoreContext,
  { edges, firstDays, days }: Bars,
  filters: AnalyticsFilters,
): Promise<{ bars: Bar[]; written: Written }> {
  const outcomes = await listOutcomes(ctx, edges, filters)
  const byDay = firstDays && (await listWrittenByDay(ctx, { days, firstDays }, filters))
  const words: Map<number, Words> = byDay ?? (await listWordsByHour(ctx, { days, edges }, filters))
  const bars = edges.slice(0, -1).map((start, at) => ({
    start,
    end: edges[at + 1] ?? start,
    ...(outcomes.get(at + 1) ?? NO_CONVERSATIONS),
    messages: wordsOf(words.get(at + 1) ?? NO_WORDS),
  }))
  return { bars, written: byDay ? sumOf(byDay) : await countWritten(ctx, days, filters) }
}

function wordsOf({ customer, agent, operator }: Words): Words {
  return { customer, agent, operator }
}

function sumOf(bars: Map<number, Written>): Written {
  const sum = (key: keyof Written) => [...bars.values()].reduce((total, bar) => total + bar[key], 0)
  return {
    customer: sum('customer'),
    agent: sum('agent'),
    operator: sum('operator'),
    conversations: sum('conversations'),
  }
}

async function listOutcomes(ctx: OrgStoreContext, edges: number[], filters: AnalyticsFilters) {
  const period = { start: edges[0] ?? 0, end: edges.at(-1) ?? 0 }
  const rows = await begunWithin(ctx, period, filters)
    .select([barOf('f.begun_at', edges).as('bar'), ...OUTCOMES])
    .groupBy('bar')
    .execute()
  return new Map(rows.map(({ bar, ...row }) => [bar, outcomesOf(row)]))
}

async function listWrittenByDay(
  ctx: OrgStoreContext,
  { days, firstDays }: { days: LocalDays; firstDays: string[] },
  filters: AnalyticsFilters,
): Promise<Map<number, Written>> {
  const ofDays = writtenOn(ctx, days, filters)
    .select(['message_days.day', ...writtenColumns(days)])
    .groupBy('message_days.day')
  const rows = await ctx.db
    .selectFrom(ofDays.as('w'))
    .select([sql<number>`width_bucket(w.day, ${firstDays}::date[])`.as('bar'), ...TOTALS])
    .groupBy('bar')
    .execute()
  return new Map(rows.map(({ bar, ...row }) => [bar, row]))
}

const written = (author: 'customer' | 'agent' | 'operator') =>
  sql<number>`count(*) filter (where messages.author = ${sql.lit(author)})::float8`.as(author)

/** Of few days: the messages themselves, in conversations that have some on these days. */
async function listWordsByHour(
  ctx: OrgStoreContext,
  { days, edges }: { days: LocalDays; edges: number[] },
  filters: AnalyticsFilters,
): Promise<Map<number, Words>> {
  const rows = await ctx.db
    .selectFrom('messages')
    .where('messages.organization_id', '=', ctx.organizationId)
    .where('messages.conversation_id', 'in', writtenOn(ctx, days, filters).select('message_days.conversation_id'))
    .where('messages.created_at', '>=', new Date(edges[0] ?? 0))
    .where('messages.created_at', '<', new Date(edges.at(-1) ?? 0))
    .where('messages.author', '<>', sql.lit('system'))
    .where('messages.status', 'in', ['complete', 'stopped'])
    .select([barOf('messages.created_at', edges).as('bar'), written('customer'), written('agent'), written('operator')])
    .groupBy('bar')
    .execute()
  return new Map(rows.map(({ bar, ...row }) => [bar, row]))
}

const NO_CONVERSATIONS: Outcomes = { conversations: 0, resolved: 0, handedOff: 0, reopened: 0, unanswered: 0 }
const NO_WORDS: Words = { customer: 0, agent: 0, operator: 0 }

/** Between which edges a moment lies, from 1. */
function barOf(column: 'f.begun_at' | 'messages.created_at', edges: number[]): RawBuilder<number> {
  const moments = edges.slice(0, -1).map((edge) => new Date(edge).toISOString())
  return sql`width_bucket(${sql.ref(column)}, ${moments}::timestamptz[])`
}

/** Counts messages by day again, after the organization's time zone has changed. */
export async function recountDays(ctx: OrgStoreContext): Promise<void> {
  await sql`delete from message_days where organization_id = ${ctx.organizationId}`.execute(ctx.db)
  await sql`with counted as (
      select f.organization_id, f.conversation_id, o.time_zone, (m.created_at at time zone o.time_zone)::date as day, f.agent_id, f.assignee_id,
        f.channel, f.is_deleted,
        count(*) filter (where m.author = 'customer') as customer, count(*) filter (where m.author = 'agent') as agent,
        count(*) filter (where m.author = 'operator') as operator
      from organizations o join conversation_facts f on f.organization_id = o.id
        join messages m on m.organization_id = f.organization_id and m.conversation_id = f.conversation_id
          and m.author <> 'system' and m.status in ('complete', 'stopped')
      where o.id = ${ctx.organizationId} group by 1, 2, 3, 4, f.agent_id, f.assignee_id, f.channel, f.is_deleted
    ), days as (
      select counted.*, lag(day) over conversation as previous_day, lead(day) over conversation as next_day from counted
      window conversation as (partition by conversation_id order by day)
    ), earlier as (
      insert into message_days (organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer,
        agent, operator)
      select organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer, agent, operator
      from days where next_day is not null
    )
    update conversation_facts f set time_zone = d.time_zone, last_day = d.day, previous_day = d.previous_day, day_customer = d.customer,
      day_agent = d.agent, day_operator = d.operator
    from days d
    where d.next_day is null and f.organization_id = d.organization_id and f.conversation_id = d.conversation_id`.execute(
    ctx.db,
  )
}
