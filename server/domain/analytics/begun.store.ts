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
  const first_response = await readTimes(ctx, { days, filters, time: 'first_response', count: sums.answered })
  const resolution = await readTimes(ctx, { days, filters, time: 'resolution', count: sums.settled })
  return measuresOf(sums, { first_response, resolution })
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

/**
 * Median and 90th percentile of a time that `count` of the conversations have. `percentile_cont` sorts floats; the two values between which
 * each lies are found among the integers in half the time.
 */
async function readTimes(
  ctx: OrgStoreContext,
  { days, filters, time, count }: { days: Days; filters: AnalyticsFilters; time: keyof MeasuredTimes; count: number },
): Promise<Times> {
  if (count === 0) return null
  const shares = PERCENTILES.flatMap((percentile) => {
    const rank = percentile * (count - 1)
    return [Math.floor(rank), Math.ceil(rank)].map((before) => (before + 0.5) / count)
  })
  const around = sql<number[]>`(percentile_disc(${shares}::float8[]) within group (order by v.ms))::float8[]`
  const values = valuesOf(ctx, { days, filters, time })
  const row = await ctx.db.selectFrom(values.as('v')).select(around.as('around')).executeTakeFirstOrThrow()
  const [median = 0, p90 = 0] = PERCENTILES.map((percentile, at) => {
    const [below = 0, above = 0] = row.around.slice(2 * at, 2 * at + 2)
    return below + (above - below) * ((percentile * (count - 1)) % 1)
  })
  return [median, p90]
}

/** A sub-query: the time of each conversation that has it. */
function valuesOf(
  ctx: OrgStoreContext,
  { days, filters, time }: { days: Days; filters: AnalyticsFilters; time: keyof MeasuredTimes },
) {
  const column = `f.${time}_ms` as const
  const awake = awakeOn(ctx, days, filters)
    .where(column, 'is not', null)
    .select(sql<number>`${sql.ref(column)}`.as('ms'))
  if (!isSummed(filters)) return awake
  const each = sql<number>`unnest(${sql.ref(`begun_days.${time}_times`)})`
  return restingOn(ctx, days, filters).select(each.as('ms')).unionAll(awake)
}
