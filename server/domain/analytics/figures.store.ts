// SQL of the bars of a period.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { AnalyticsFilters, Bar, Outcomes, Written } from '#shared/analytics/analytics.ts'
import type { BegunRow } from './begun.store.ts'
import { begunWithin, type LocalDays } from './facts.store.ts'
import { addUp, OUTCOME_COLUMNS, type OutcomesRow, outcomesOf } from './measures.store.ts'
import { addWritten, listWritten, writtenOn } from './written.store.ts'

type Words = Omit<Written, 'conversations'>

/** `firstDays`: on which the bars begin; null: they are hours. `rows`: what began on the days of all of them. */
export type Bars = { edges: number[]; firstDays: string[] | null; days: LocalDays; rows: BegunRow[] }

/** The bars between these edges, oldest first, those without anything too; and what was written on the days of all of them. */
export async function readBars(
  ctx: OrgStoreContext,
  { edges, firstDays, days, rows }: Bars,
  filters: AnalyticsFilters,
): Promise<{ bars: Bar[]; written: Written }> {
  const outcomes = firstDays
    ? byBar(rows, firstDays, (days) => outcomesOf(addUp(days)))
    : await listOutcomesByHour(ctx, edges, filters)
  const written = await listWritten(ctx, days, filters)
  const words: Map<number, Words> = firstDays
    ? byBar(written, firstDays, addWritten)
    : await listWordsByHour(ctx, { days, edges }, filters)
  const bars = edges.slice(0, -1).map((start, at) => ({
    start,
    end: edges[at + 1] ?? start,
    ...(outcomes.get(at + 1) ?? NO_CONVERSATIONS),
    messages: wordsOf(words.get(at + 1) ?? NO_WORDS),
  }))
  return { bars, written: addWritten(written) }
}

function wordsOf({ customer, agent, operator }: Words): Words {
  return { customer, agent, operator }
}

/** `sum`: of the rows of the days of one bar. Bars are counted from 1. */
function byBar<Row extends { day: string }, Sum>(rows: Row[], firstDays: string[], sum: (days: Row[]) => Sum) {
  const bars = Map.groupBy(rows, ({ day }) => firstDays.findLastIndex((first) => first <= day) + 1)
  return new Map([...bars].map(([bar, days]) => [bar, sum(days)]))
}

async function listOutcomesByHour(ctx: OrgStoreContext, edges: number[], filters: AnalyticsFilters) {
  const period = { start: edges[0] ?? 0, end: edges.at(-1) ?? 0 }
  const rows = await begunWithin(ctx, period, filters)
    .select([barOf('f.begun_at', edges).as('bar'), ...OUTCOME_COLUMNS])
    .groupBy('bar')
    .execute()
  return new Map(rows.map(({ bar, ...row }) => [bar, outcomesOf(row as OutcomesRow)]))
}

const writtenBy = (author: 'customer' | 'agent' | 'operator') =>
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
    .where('messages.conversation_id', 'in', writtenOn(ctx, days, { filters }).select('message_days.conversation_id'))
    .where('messages.created_at', '>=', new Date(edges[0] ?? 0))
    .where('messages.created_at', '<', new Date(edges.at(-1) ?? 0))
    .where('messages.author', '<>', sql.lit('system'))
    .where('messages.status', 'in', ['complete', 'stopped'])
    .select([
      barOf('messages.created_at', edges).as('bar'),
      writtenBy('customer'),
      writtenBy('agent'),
      writtenBy('operator'),
    ])
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
