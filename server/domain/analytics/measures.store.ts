// What is measured of conversations: numbers that can be added up, with their SQL over facts `f`, and what a screen shows of them.
import { type RawBuilder, sql } from 'kysely'
import type { Measures, Outcomes } from '#shared/analytics/analytics.ts'
import type { Outcome } from '#shared/analytics/facts.ts'

const counted = (outcome: Outcome) => sql`count(*) filter (where f.outcome = ${sql.lit(outcome)})`
const scored = (score: number) => sql`count(*) filter (where f.rating = ${sql.lit(score)})`

/** Conversations by outcome: a part of `SUMS`. */
const OUTCOME_SUMS = {
  conversations: sql`count(*)`,
  resolved: counted('resolved'),
  handed_off: counted('handed_off'),
  reopened: counted('reopened'),
  unanswered: counted('unanswered'),
}

/** Also the columns of `begun_days`. */
export const SUMS = {
  ...OUTCOME_SUMS,
  ever_reopened: sql`count(*) filter (where f.reopened_count > 0)`,
  did_not_know: sql`count(*) filter (where f.did_not_know)`,
  answered: sql`count(f.first_response_ms)`,
  settled: sql`count(f.resolution_ms)`,
  scored_1: scored(1),
  scored_2: scored(2),
  scored_3: scored(3),
  scored_4: scored(4),
  scored_5: scored(5),
  cost_micro_usd: sql`coalesce(sum(f.cost_micro_usd), 0)`,
  unpriced_calls: sql`coalesce(sum(f.unpriced_calls), 0)`,
  unpriced: sql`count(*) filter (where f.unpriced_calls > 0)`,
} satisfies Record<string, RawBuilder<unknown>>
export type SumName = keyof typeof SUMS
export const SUM_NAMES = Object.keys(SUMS) as SumName[]

export type OutcomesRow = Record<keyof typeof OUTCOME_SUMS, number>
export type SumsRow = Record<SumName, number>

const numbered = <Name extends SumName>(names: readonly Name[]) =>
  names.map((name) => sql<number>`${SUMS[name]}::float8`.as(name))
/** The columns of a `SumsRow` over facts `f`. */
export const SUM_COLUMNS = numbered(SUM_NAMES)
/** The columns of an `OutcomesRow`. */
export const OUTCOME_COLUMNS = numbered(Object.keys(OUTCOME_SUMS) as (keyof typeof OUTCOME_SUMS)[])

/** Of which times are shown. */
export const PERCENTILES = [0.5, 0.9] as const
/** Milliseconds, one for each of PERCENTILES; null: no conversation has that time. */
export type Times = [number, number] | null
export type MeasuredTimes = { first_response: Times; resolution: Times }

/** The sums of all rows. */
export function addUp(rows: readonly SumsRow[]): SumsRow {
  const sums = SUM_NAMES.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])
  return Object.fromEntries(sums) as SumsRow
}

export function outcomesOf({ handed_off: handedOff, ...row }: OutcomesRow): Outcomes {
  const { conversations, resolved, reopened, unanswered } = row
  return { conversations, resolved, handedOff, reopened, unanswered }
}

export function measuresOf(row: SumsRow, { first_response, resolution }: MeasuredTimes): Measures {
  const scores: Measures['ratings']['scores'] = [row.scored_1, row.scored_2, row.scored_3, row.scored_4, row.scored_5]
  const rated = scores.reduce((sum, count) => sum + count, 0)
  const points = scores.reduce((sum, count, at) => sum + count * (at + 1), 0)
  return {
    ...outcomesOf(row),
    everReopened: row.ever_reopened,
    didNotKnow: row.did_not_know,
    firstResponse: durationOf(row.answered, first_response),
    resolution: durationOf(row.settled, resolution),
    ratings: { count: rated, average: shareOf(points, rated), scores },
    cost: {
      microUsd: row.cost_micro_usd,
      perConversation: shareOf(row.cost_micro_usd, row.conversations),
      perResolution: shareOf(row.cost_micro_usd, row.resolved),
      unpricedCalls: row.unpriced_calls,
      unpricedConversations: row.unpriced,
    },
  }
}

function durationOf(count: number, times: Times): Measures['firstResponse'] {
  const [median, p90] = times ?? []
  return {
    count,
    medianMs: median === undefined ? null : Math.round(median),
    p90Ms: p90 === undefined ? null : Math.round(p90),
  }
}

function shareOf(sum: number, among: number): number | null {
  return among === 0 ? null : sum / among
}
