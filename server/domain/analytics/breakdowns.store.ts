// SQL of conversations counted by one thing or another.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import {
  type AnalyticsFilters,
  BREAKDOWN_ROWS_MAX,
  type BreakdownBy,
  type BreakdownRow,
} from '#shared/analytics/analytics.ts'
import { begunWithin, localHour, localWeekday, type Period } from './facts.store.ts'
import { type MeasuredTimes, measuresOf, PERCENTILES, SUM_COLUMNS, type SumsRow } from './measures.store.ts'

type Asked = { by: BreakdownBy; period: Period; filters: AnalyticsFilters; timeZone: string }
type KeyedRow = SumsRow & MeasuredTimes & { key: string | null }

const timesOf = (column: 'f.first_response_ms' | 'f.resolution_ms') =>
  sql`percentile_cont(array[${sql.join(PERCENTILES.map((each) => sql.lit(each)))}]) within group (order by ${sql.ref(column)}::float8)`
/** Of one group of facts `f`. */
const MEASURES = [
  ...SUM_COLUMNS,
  timesOf('f.first_response_ms').as('first_response'),
  timesOf('f.resolution_ms').as('resolution'),
] as const

/** Rows of a breakdown in their order, one more than are shown. */
export async function listBreakdown(ctx: OrgStoreContext, asked: Asked): Promise<BreakdownRow[]> {
  const rows = await listRows(ctx, asked)
  const names = await namesOf(ctx, asked.by, rows)
  return rows.map((row) => {
    const named = names.get(row.key ?? '')
    return { key: row.key, name: named?.name ?? null, isDeleted: named?.isDeleted ?? false, ...measuresOf(row, row) }
  })
}

async function listRows(ctx: OrgStoreContext, { by, period, filters, timeZone }: Asked): Promise<KeyedRow[]> {
  const begun = begunWithin(ctx, period, filters)
  switch (by) {
    case 'tag':
      return listByTag(ctx, begun, filters)
    case 'question':
      return listByQuestion(ctx, begun)
    case 'agent':
    case 'operator':
    case 'channel':
    case 'reason':
    case 'rating':
    case 'hour':
      return listByOwn(begun, by, sql.lit(timeZone))
  }
}

type Begun = ReturnType<typeof begunWithin>

/** By what stands in the facts themselves. */
async function listByOwn(
  begun: Begun,
  by: 'agent' | 'operator' | 'channel' | 'reason' | 'rating' | 'hour',
  timeZone: RawBuilder<string>,
): Promise<KeyedRow[]> {
  const keys = {
    agent: sql<string>`f.agent_id`,
    operator: sql<string>`f.assignee_id`,
    channel: sql<string>`f.channel`,
    reason: sql<string>`f.handoff_reason`,
    rating: sql<string>`f.rating::text`,
    hour: sql<string>`(${localWeekday(timeZone)})::text || '-' || lpad((${localHour(timeZone)})::text, 2, '0')`,
  }
  let query = begun.select([keys[by].as('key'), ...MEASURES]).groupBy('key')
  if (by === 'reason') query = query.where('f.handoff_reason', 'is not', null)
  if (by === 'rating') query = query.where('f.rating', 'is not', null)
  const isOrdered = by === 'rating' || by === 'hour'
  const rows = await (isOrdered
    ? query.orderBy('key')
    : query.orderBy('conversations', 'desc').orderBy('key')
  ).execute()
  return rows as KeyedRow[]
}

async function listByTag(
  { organizationId }: OrgStoreContext,
  begun: Begun,
  { tag }: AnalyticsFilters,
): Promise<KeyedRow[]> {
  let query = begun
    .innerJoin('conversation_tags as t', 't.conversation_id', 'f.conversation_id')
    .where('t.organization_id', '=', organizationId)
    .select([sql<string>`t.tag`.as('key'), ...MEASURES])
  if (tag !== undefined) query = query.where('t.tag', '=', tag)
  const rows = await query
    .groupBy('key')
    .orderBy('conversations', 'desc')
    .orderBy('key')
    .limit(BREAKDOWN_ROWS_MAX + 1)
    .execute()
  return rows as KeyedRow[]
}

/** What customers have asked, in their own words: the first search of each answer. */
async function listByQuestion({ db, organizationId }: OrgStoreContext, begun: Begun): Promise<KeyedRow[]> {
  const asked = db
    .selectFrom('knowledge_queries')
    .where('knowledge_queries.organization_id', '=', organizationId)
    .where('knowledge_queries.position', '=', sql.lit(0))
    .select(['knowledge_queries.gist', 'knowledge_queries.conversation_id'])
    .distinct()
  const rows = await begun
    .innerJoin(asked.as('q'), 'q.conversation_id', 'f.conversation_id')
    .select([sql<string>`q.gist`.as('key'), ...MEASURES])
    .groupBy('key')
    .orderBy('conversations', 'desc')
    .orderBy('key')
    .limit(BREAKDOWN_ROWS_MAX + 1)
    .execute()
  return rows as KeyedRow[]
}

type Named = { key: string; name: string; isDeleted: boolean }

async function namesOf(ctx: OrgStoreContext, by: BreakdownBy, rows: KeyedRow[]): Promise<Map<string, Named>> {
  const keys = rows.flatMap(({ key }) => key ?? [])
  if (keys.length === 0) return new Map()
  const named =
    by === 'agent'
      ? await listAgents(ctx, keys)
      : by === 'operator'
        ? await listPeople(ctx, keys)
        : by === 'question'
          ? await listWordings(ctx, keys)
          : []
  return new Map(named.map((each) => [each.key, each]))
}

function listAgents({ db, organizationId }: OrgStoreContext, keys: string[]): Promise<Named[]> {
  return db
    .selectFrom('agents')
    .where('agents.organization_id', '=', organizationId)
    .where(sql<boolean>`agents.id = any (${keys}::text[])`)
    .select(['agents.id as key', 'agents.name', sql<boolean>`agents.deleted_at is not null`.as('isDeleted')])
    .execute()
}

/** `isDeleted`: a member no more. */
function listPeople({ db, organizationId }: OrgStoreContext, keys: string[]): Promise<Named[]> {
  return db
    .selectFrom('users')
    .leftJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'users.id').on('members.organization_id', '=', organizationId),
    )
    .where(sql<boolean>`users.id = any (${keys}::text[])`)
    .select(['users.id as key', 'users.name', sql<boolean>`members.user_id is null`.as('isDeleted')])
    .execute()
}

/** The newest wording of each question. */
async function listWordings({ db, organizationId }: OrgStoreContext, gists: string[]): Promise<Named[]> {
  const rows = await db
    .selectFrom('knowledge_queries')
    .where('knowledge_queries.organization_id', '=', organizationId)
    .where(sql<boolean>`knowledge_queries.gist = any (${gists}::text[])`)
    .where('knowledge_queries.position', '=', sql.lit(0))
    .distinctOn('knowledge_queries.gist')
    .select(['knowledge_queries.gist as key', 'knowledge_queries.query as name'])
    .orderBy('knowledge_queries.gist')
    .orderBy('knowledge_queries.asked_at', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, isDeleted: false }))
}
