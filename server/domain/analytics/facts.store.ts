// SQL of what is measured of conversations: which of them a period and filters mean, and how those are found behind a number.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { AnalyticsFilters } from '#shared/analytics/analytics.ts'
import type { FactsFilter, Outcome } from '#shared/analytics/facts.ts'
import type { PauseReason } from '#shared/messaging/conversations.ts'

/** Milliseconds; the end is not included. */
export type Period = { start: number; end: number }

/** Facts `f` of the conversations that pass the filters, lie in no bin, and have begun within a period. */
export function begunWithin(ctx: OrgStoreContext, { start, end }: Period, filters: AnalyticsFilters) {
  const query = ctx.db
    .selectFrom('conversation_facts as f')
    .where('f.organization_id', '=', ctx.organizationId)
    .where('f.is_deleted', '=', sql.lit(false))
    .where('f.begun_at', '>=', new Date(start))
    .where('f.begun_at', '<', new Date(end))
  return passing(ctx, query, 'f', filters)
}

/** Local days, both included: `YYYY-MM-DD`. */
export type LocalDays = { from: string; to: string }
type Day = string | RawBuilder<string>

/**
 * A sub-query: days on which messages were written, of each conversation. The last one may stand in its facts, others have rows of their own.
 * `isUnsummed`: those that are not in `written_days`.
 */
export function daysOfMessages(
  { db, organizationId }: OrgStoreContext,
  { from, to, isUnsummed = false }: { from: Day | undefined; to: Day | undefined; isUnsummed?: boolean },
) {
  let earlier = db
    .selectFrom('message_days as d')
    .where('d.organization_id', '=', organizationId)
    .select([
      'd.conversation_id',
      'd.day',
      'd.previous_day',
      'd.agent_id',
      'd.assignee_id',
      'd.channel',
      'd.is_deleted',
    ])
    .select(['d.customer', 'd.agent', 'd.operator'])
  let last = db
    .selectFrom('conversation_facts as f')
    .where('f.organization_id', '=', organizationId)
    .where('f.last_day', 'is not', null)
    .select(['f.conversation_id', 'f.last_day as day', 'f.previous_day', 'f.agent_id', 'f.assignee_id', 'f.channel'])
    .select(['f.is_deleted', 'f.day_customer as customer', 'f.day_agent as agent', 'f.day_operator as operator'])
    .$narrowType<{ day: string }>()
  if (isUnsummed) earlier = earlier.where('d.is_summed', '=', sql.lit(false))
  if (from !== undefined) {
    earlier = earlier.where('d.day', '>=', from)
    last = last.where('f.last_day', '>=', from)
  }
  if (to !== undefined) {
    earlier = earlier.where('d.day', '<=', to)
    last = last.where('f.last_day', '<=', to)
  }
  return earlier.unionAll(last)
}

/** Whether sums of days are kept by what these filters compare. */
export function isSummed({ tag }: AnalyticsFilters): boolean {
  return tag === undefined
}

/** What filters compare, in facts and in days alike. Tags, which are many and change, are looked up; sums of days have none. */
export function passing<Query extends { where(condition: RawBuilder<SqlBool>): Query }>(
  { db, organizationId }: OrgStoreContext,
  query: Query,
  table: 'f' | 'message_days' | 'begun_days' | 'written_days',
  { agentId, channel, assigneeId, tag }: AnalyticsFilters,
): Query {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  let passed = query
  if (agentId !== undefined) passed = passed.where(sql`${column('agent_id')} = ${agentId}`)
  if (channel !== undefined) passed = passed.where(sql`${column('channel')} = ${channel}`)
  if (assigneeId === null) passed = passed.where(sql`${column('assignee_id')} is null`)
  else if (assigneeId !== undefined) passed = passed.where(sql`${column('assignee_id')} = ${assigneeId}`)
  if (tag === undefined) return passed
  const tagged = db
    .selectFrom('conversation_tags')
    .where('conversation_tags.organization_id', '=', organizationId)
    .where('conversation_tags.tag', '=', tag)
    .select('conversation_tags.conversation_id')
  return passed.where(sql`${column('conversation_id')} in ${tagged}`)
}

/** A sub-query: ids of the conversations of which all these conditions hold, in whatever folder. */
export function conversationsWith(ctx: OrgStoreContext, filter: FactsFilter) {
  const { begunSince, begunUntil, outcome, handoffReason, rating } = filter
  let query = ctx.db
    .selectFrom('conversation_facts as f')
    .where('f.organization_id', '=', ctx.organizationId)
    .select('f.conversation_id')
  if (begunSince !== undefined) query = query.where('f.begun_at', '>=', new Date(begunSince))
  if (begunUntil !== undefined) query = query.where('f.begun_at', '<', new Date(begunUntil))
  if (outcome !== undefined) query = query.where('f.outcome', '=', sql.lit<Outcome>(outcome))
  if (handoffReason !== undefined) query = query.where('f.handoff_reason', '=', handoffReason as PauseReason)
  if (rating === 'any') query = query.where('f.rating', 'is not', null)
  else if (rating !== undefined) query = query.where('f.rating', '=', rating)
  if (filter.isReopened) query = query.where('f.reopened_count', '>', sql.lit(0))
  if (filter.didNotKnow) query = query.where('f.did_not_know', '=', sql.lit(true))
  if (filter.isAnswered) query = query.where('f.first_response_ms', 'is not', null)
  if (filter.isSettled) query = query.where('f.resolution_ms', 'is not', null)
  if (filter.isUnpriced) query = query.where('f.unpriced_calls', '>', sql.lit(0))
  for (const condition of conditionsOf(ctx, filter)) query = query.where(condition)
  return query
}

/** Those that need other tables than the facts. */
function conditionsOf(ctx: OrgStoreContext, filter: FactsFilter): RawBuilder<SqlBool>[] {
  const { weekday, hour, gist, writtenSince, writtenUntil } = filter
  const conditions: RawBuilder<SqlBool>[] = []
  if (weekday !== undefined) conditions.push(sql`${localWeekday(zoneOf(ctx))} = ${weekday}::int`)
  if (hour !== undefined) conditions.push(sql`${localHour(zoneOf(ctx))} = ${hour}::int`)
  if (gist !== undefined) conditions.push(sql`f.conversation_id = any (array(${askedIn(ctx, gist)}))`)
  if (writtenSince !== undefined || writtenUntil !== undefined)
    conditions.push(...writtenWithin(ctx, writtenSince, writtenUntil))
  return conditions
}

/** The day of the week on which the conversation of `f` began, 0 (Monday) to 6, in a time zone. */
export function localWeekday(timeZone: RawBuilder<string>): RawBuilder<number> {
  return sql`extract(isodow from f.begun_at at time zone ${timeZone})::int - 1`
}

/** The hour in which it began, 0 to 23. */
export function localHour(timeZone: RawBuilder<string>): RawBuilder<number> {
  return sql`extract(hour from f.begun_at at time zone ${timeZone})::int`
}

function zoneOf({ db, organizationId }: OrgStoreContext): RawBuilder<string> {
  return sql`(${db.selectFrom('organizations').where('organizations.id', '=', organizationId).select('organizations.time_zone')})`
}

function askedIn({ db, organizationId }: OrgStoreContext, gist: string) {
  return db
    .selectFrom('knowledge_queries')
    .where('knowledge_queries.organization_id', '=', organizationId)
    .where('knowledge_queries.gist', '=', gist)
    .where('knowledge_queries.position', '=', sql.lit(0))
    .select('knowledge_queries.conversation_id')
}

/** On which days, and of days that are not whole by which messages. */
function writtenWithin(
  ctx: OrgStoreContext,
  since: number | undefined,
  until: number | undefined,
): RawBuilder<SqlBool>[] {
  const dayAt = (at: number) => sql<string>`(${new Date(at)}::timestamptz at time zone ${zoneOf(ctx)})::date`
  const isWithinDay = (at: number) => sql<SqlBool>`${dayAt(at - 1)} = ${dayAt(at)}`
  const from = since === undefined ? undefined : dayAt(since)
  const to = until === undefined ? undefined : dayAt(until - 1)
  const ofDays = ctx.db
    .selectFrom(daysOfMessages(ctx, { from, to }).as('message_days'))
    .select('message_days.conversation_id')
    .distinct()
  const conditions = [sql<SqlBool>`f.conversation_id = any (array(${ofDays}))`]
  const parts = [since, until].flatMap((at) => (at === undefined ? [] : isWithinDay(at)))
  if (parts.length === 0) return conditions
  const isPart = sql.join(parts, sql` or `)
  return [...conditions, sql<SqlBool>`(not (${isPart}) or exists (${messagesWithin(ctx, since, until)}))`]
}

/** Those of the conversation of `f` that are counted. */
function messagesWithin({ db, organizationId }: OrgStoreContext, since: number | undefined, until: number | undefined) {
  let query = db
    .selectFrom('messages')
    .where('messages.organization_id', '=', organizationId)
    .where(sql<SqlBool>`messages.conversation_id = f.conversation_id`)
    .where('messages.author', '<>', sql.lit('system'))
    .where('messages.status', 'in', ['complete', 'stopped'])
    .select('messages.id')
  if (since !== undefined) query = query.where('messages.created_at', '>=', new Date(since))
  if (until !== undefined) query = query.where('messages.created_at', '<', new Date(until))
  return query
}
