// SQL of what was written on some days: from the sums of days that are over, and from rows of conversations that are not in them; with a
// filter that no sum is kept by, from rows alone.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { AnalyticsFilters, Written } from '#shared/analytics/analytics.ts'
import { daysOfMessages, isSummed, type LocalDays, passing } from './facts.store.ts'

/** Messages of a local day, `YYYY-MM-DD`, and the conversations that have none on earlier ones of the days asked for. Some days have two rows. */
export type WrittenRow = Written & { day: string }

/** What was written on these days; those without any have no row. */
export async function listWritten(
  ctx: OrgStoreContext,
  days: LocalDays,
  filters: AnalyticsFilters,
): Promise<WrittenRow[]> {
  const rows = await writtenOn(ctx, days, { filters, isUnsummed: isSummed(filters) })
    .select(['message_days.day', sum('message_days.customer').as('customer')])
    .select([sum('message_days.agent').as('agent'), sum('message_days.operator').as('operator')])
    .select(FIRST_ON(days.from).as('conversations'))
    .groupBy('message_days.day')
    .execute()
  return isSummed(filters) ? [...(await listSummed(ctx, days, filters)), ...rows] : rows
}

/** Messages of all rows, and in how many conversations these are. */
export function addWritten(rows: readonly WrittenRow[]): Written {
  const total = (key: keyof Written) => rows.reduce((sum, row) => sum + row[key], 0)
  return {
    customer: total('customer'),
    agent: total('agent'),
    operator: total('operator'),
    conversations: total('conversations'),
  }
}

/** Of the days on which messages were written, of conversations that pass the filters and lie in no bin. */
export function writtenOn(
  ctx: OrgStoreContext,
  days: LocalDays,
  { filters, isUnsummed = false }: { filters: AnalyticsFilters; isUnsummed?: boolean },
) {
  const query = ctx.db.selectFrom(daysOfMessages(ctx, { ...days, isUnsummed }).as('message_days'))
  return passing(ctx, query.where('message_days.is_deleted', '=', sql.lit(false)), 'message_days', filters)
}

const sum = (column: string) => sql<number>`sum(${sql.ref(column)})::float8`
const FIRST_ON = (from: string) =>
  sql<number>`count(*) filter (where message_days.previous_day is null or message_days.previous_day < ${from}::date)::float8`

function listSummed(ctx: OrgStoreContext, { from, to }: LocalDays, filters: AnalyticsFilters): Promise<WrittenRow[]> {
  const query = ctx.db
    .selectFrom('written_days')
    .where('written_days.organization_id', '=', ctx.organizationId)
    .where('written_days.day', '>=', from)
    .where('written_days.day', '<=', to)
  const earlier = sql`(select count(*) from unnest(written_days.previous_days) previous where previous >= ${from}::date)`
  return passing(ctx, query, 'written_days', filters)
    .select(['written_days.day', sum('written_days.customer').as('customer')])
    .select([sum('written_days.agent').as('agent'), sum('written_days.operator').as('operator')])
    .select(sql<number>`sum(written_days.conversations - ${earlier})::float8`.as('conversations'))
    .groupBy('written_days.day')
    .execute()
}
