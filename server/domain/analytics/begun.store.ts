// SQL of the numbers of the conversations that began on some days. Those that rest are read from the sums of their days, the others from
// their facts; with a filter that no sum is kept by, all are.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { AnalyticsFilters, Measures } from '#shared/analytics/analytics.ts'
import { begunWithin, isSummed, passing } from './facts.store.ts'
import {
  addUp,
  type MeasuredTimes,
  measuresOf,
  PERCENTILES,
  SUM_COLUMNS,
  SUM_NAMES,
  type SumsRow,
  type Times,
} from './measures.store.ts'
import { type Days, periodOf } from './ranges.rules.ts'

/** Sums of the conversations begun on a local day, `YYYY-MM-DD`; some days have two rows. */
export type BegunRow = SumsRow & { day: string }

/** The numbers of the conversations begun on these days. */
export async function measure(ctx: OrgStoreContext, days: Days, filters: AnalyticsFilters): Promise<Measures> {
  return measureRows(ctx, { days, filters, rows: await listBegun(ctx, days, filters) })
}

/** The same, of rows that have been read. */
export async function measureRows(
  ctx: OrgStoreContext,
  { days, filters, rows }: { days: Days; filters: AnalyticsFilters; rows: BegunRow[] },
): Promise<Measures> {
  const sums = addUp(rows)
  const read = isSummed(filters) ? readTimes : readTimesOfFacts
  return measuresOf(sums, await read(ctx, { days, filters, sums }))
}

/** Conversations by the day on which they began; days without any have no row. */
export async function listBegun(ctx: OrgStoreContext, days: Days, filters: AnalyticsFilters): Promise<BegunRow[]> {
  const awake = await awakeOn(ctx, days, filters)
    .select([sql<string>`(f.begun_at at time zone ${days.timeZone})::date`.as('day'), ...SUM_COLUMNS])
    .groupBy('day')
    .execute()
  if (!isSummed(filters)) return awake as BegunRow[]
  const resting = await restingOn(ctx, days, filters)
    .select('begun_days.day')
    .select(SUM_NAMES.map((name) => sql<number>`sum(${sql.ref(`begun_days.${name}`)})::float8`.as(name)))
    .groupBy('begun_days.day')
    .execute()
  return [...resting, ...awake] as BegunRow[]
}

function awakeOn(ctx: OrgStoreContext, days: Days, filters: AnalyticsFilters) {
  const begun = begunWithin(ctx, days, filters)
  return isSummed(filters) ? begun.where('f.summed_day', 'is', null) : begun
}

function restingOn(ctx: OrgStoreContext, days: Days, filters: AnalyticsFilters) {
  const { from, to } = periodOf(days)
  const query = ctx.db
    .selectFrom('begun_days')
    .where('begun_days.organization_id', '=', ctx.organizationId)
    .where('begun_days.day', '>=', from)
    .where('begun_days.day', '<=', to)
  return passing(ctx, query, 'begun_days', filters)
}

type Asked = { days: Days; filters: AnalyticsFilters; sums: Pick<SumsRow, 'answered' | 'settled'> }

/** Median and 90th percentile, each time from the sums of days and from facts of conversations that are in none. */
async function readTimes(ctx: OrgStoreContext, asked: Asked): Promise<MeasuredTimes> {
  const { answered, settled } = asked.sums
  const read = async (time: keyof MeasuredTimes, count: number) => {
    if (count === 0) return null
    const values = valuesOf(ctx, asked, time)
    const query = ctx.db.selectFrom(values.as('v')).select(around('v.ms', count).as('around'))
    return between((await query.executeTakeFirstOrThrow()).around, count)
  }
  return { first_response: await read('first_response', answered), resolution: await read('resolution', settled) }
}

/** The same, of facts alone. */
async function readTimesOfFacts(ctx: OrgStoreContext, { days, filters, sums }: Asked): Promise<MeasuredTimes> {
  const { answered, settled } = sums
  if (answered + settled === 0) return { first_response: null, resolution: null }
  const row = await awakeOn(ctx, days, filters)
    .select(around('f.first_response_ms', answered).as('first_response'))
    .select(around('f.resolution_ms', settled).as('resolution'))
    .executeTakeFirstOrThrow()
  return { first_response: between(row.first_response, answered), resolution: between(row.resolution, settled) }
}

/**
 * Of each percentile of `count` values the two between which it lies: `percentile_cont` sorts floats, and these are found among the integers in
 * half the time.
 */
function around(column: string, count: number) {
  const shares = PERCENTILES.flatMap((percentile) => {
    const rank = percentile * Math.max(0, count - 1)
    return [Math.floor(rank), Math.ceil(rank)].map((before) => (before + 0.5) / Math.max(1, count))
  })
  return sql<number[]>`(percentile_disc(${shares}::float8[]) within group (order by ${sql.ref(column)}))::float8[]`
}

function between(neighbours: number[], count: number): Times {
  if (count === 0) return null
  const [median = 0, p90 = 0] = PERCENTILES.map((percentile, at) => {
    const [below = 0, above = 0] = neighbours.slice(2 * at, 2 * at + 2)
    return below + (above - below) * ((percentile * (count - 1)) % 1)
  })
  return [median, p90]
}

/** A sub-query: the time of each conversation that has it. */
function valuesOf(ctx: OrgStoreContext, { days, filters }: Asked, time: keyof MeasuredTimes) {
  const column = `f.${time}_ms` as const
  const awake = awakeOn(ctx, days, filters)
    .where(column, 'is not', null)
    .select(sql<number>`${sql.ref(column)}`.as('ms'))
  const each = sql<number>`unnest(${sql.ref(`begun_days.${time}_times`)})`
  return restingOn(ctx, days, filters).select(each.as('ms')).unionAll(awake)
}
