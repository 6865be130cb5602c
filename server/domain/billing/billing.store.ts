// SQL of usage: records each counted thing once, and keeps the sums that overviews show.
import { sql } from 'kysely'
import { addCost } from '#server/domain/analytics/costs.store.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { UsageCategory, UsagePurpose } from '#shared/organizations/billing.ts'
import type { TimeRange } from '#shared/schema.ts'
import type { UsageSum } from './billing.rules.ts'
import { countedMessages } from './quotas.store.ts'

/** Rows over which concurrent writers of one hour are spread. */
const SHARDS = 8

/** Models that are named. */
const UNPRICED_MODELS_MAX = 5

/** Something to be counted. */
export type UsageEvent = {
  /** Id of the turn, message or attempt that is counted: the same id is never counted twice. */
  sourceId: string
  agentId: Id<'agents'> | null
  category: UsageCategory
  channel: Channel
  messages: number
  /** In which conversation, and on what, the model call behind it was made; left out: in none. */
  spent?: { conversationId: Id<'conversations'>; purpose: UsagePurpose }
  /** The model call behind it; null when no model was called. */
  call: Pick<ModelCall, 'provider' | 'model' | 'inputTokens' | 'outputTokens' | 'costMicroUsd' | 'priceVersion'> | null
  occurredAt: Date
}

/**
 * Counts one event in the caller's transaction: the event itself, its hour, the month of its agent, and the limited periods. Call it late
 * in the transaction: its locks are shared by the whole organization. Safe to repeat: an event that was counted changes nothing.
 * @returns whether it was counted now
 */
export async function recordUsage(ctx: OrgStoreContext, event: UsageEvent): Promise<boolean> {
  const { call } = event
  const shard = shardOf(event.sourceId)
  const result = await sql<{ counted: boolean }>`
    with e as (
      insert into usage_events (source_id, organization_id, agent_id, category, channel, messages, provider, model,
        input_tokens, output_tokens, cost_micro_usd, price_version, conversation_id, purpose, occurred_at)
      values (${event.sourceId}, ${ctx.organizationId}, ${event.agentId}, ${event.category}, ${event.channel}, ${event.messages}::int,
        ${call?.provider ?? null}, ${call?.model ?? null}, ${call?.inputTokens ?? 0}::int, ${call?.outputTokens ?? 0}::int,
        ${call?.costMicroUsd ?? null}::bigint, ${call?.priceVersion ?? null},
        ${event.spent?.conversationId ?? null}, ${event.spent?.purpose ?? null}, ${event.occurredAt})
      on conflict (source_id) do nothing
      returning *
    ), fact as (${addCost}
    ), limited as (
      select q.period
      from e join organizations o on o.id = e.organization_id
      cross join lateral (select e.occurred_at at time zone o.time_zone as at) as clock
      join quotas q on q.organization_id = e.organization_id and q.period = any (array[to_char(clock.at, 'YYYY-MM'),
        to_char(clock.at, 'YYYY-MM ') || e.agent_id, to_char(clock.at, 'YYYY-MM-DD ') || e.agent_id])
      where (select count(*) from fact) >= 0
      order by q.period for update of q
    ), quota as (
      update quotas q set used = q.used + ${countedMessages}, cost_micro_usd = q.cost_micro_usd + coalesce(e.cost_micro_usd, 0),
        unpriced_calls = q.unpriced_calls + (e.model is not null and e.cost_micro_usd is null)::int
      from e, limited
      where q.organization_id = e.organization_id and q.period = limited.period
      returning q.period
    ), monthly as (
      insert into usage_months (organization_id, month, agent_id, shard, messages, tokens, cost_micro_usd, unpriced_calls)
      select e.organization_id, to_char(e.occurred_at at time zone o.time_zone, 'YYYY-MM'), coalesce(e.agent_id, ''), ${shard}::int,
        case when e.category = 'system_message' then 0 else e.messages end, e.input_tokens + e.output_tokens,
        coalesce(e.cost_micro_usd, 0), (e.model is not null and e.cost_micro_usd is null)::int
      from e join organizations o on o.id = e.organization_id
      where (select count(*) from quota) >= 0 -- locked in this order by everybody: facts, quotas, months, hours
      on conflict (organization_id, month, agent_id, shard) do update set
        messages = usage_months.messages + excluded.messages, tokens = usage_months.tokens + excluded.tokens,
        cost_micro_usd = usage_months.cost_micro_usd + excluded.cost_micro_usd,
        unpriced_calls = usage_months.unpriced_calls + excluded.unpriced_calls
      returning month
    ), hourly as (
      insert into usage_hours (organization_id, hour, category, channel, shard, messages, tokens, cost_micro_usd, unpriced_calls)
      select organization_id, date_trunc('hour', occurred_at, 'UTC'), category, channel, ${shard}::int, messages,
        input_tokens + output_tokens, coalesce(cost_micro_usd, 0), (model is not null and cost_micro_usd is null)::int
      from e where (select count(*) from monthly) >= 0
      on conflict (organization_id, hour, category, channel, shard) do update set
        messages = usage_hours.messages + excluded.messages, tokens = usage_hours.tokens + excluded.tokens,
        cost_micro_usd = usage_hours.cost_micro_usd + excluded.cost_micro_usd,
        unpriced_calls = usage_hours.unpriced_calls + excluded.unpriced_calls
    )
    select exists (select from e) as counted`.execute(ctx.db)
  return result.rows[0]?.counted ?? false
}

/**
 * Takes back the messages of events that reached no customer. Their cost stays. Counted as events of their own at the same moments, so that
 * they affect the same periods. Locks as `recordUsage` does. Safe to repeat.
 */
export async function uncountMessages(ctx: OrgStoreContext, sourceIds: string[]): Promise<void> {
  if (sourceIds.length === 0) return
  const shard = shardOf(sourceIds.join())
  await sql`
    with e as (
      insert into usage_events (source_id, organization_id, agent_id, category, channel, messages, input_tokens, output_tokens, occurred_at)
      select source_id || '/withheld', organization_id, agent_id, category, channel, -messages, 0, 0, occurred_at
      from usage_events
      where organization_id = ${ctx.organizationId} and source_id = any(${sourceIds}::text[]) and messages <> 0
      on conflict (source_id) do nothing
      returning *
    ), timed as (
      select e.*, to_char(clock.at, 'YYYY-MM') as month, array[to_char(clock.at, 'YYYY-MM'),
        to_char(clock.at, 'YYYY-MM ') || e.agent_id, to_char(clock.at, 'YYYY-MM-DD ') || e.agent_id] as periods
      from e join organizations o on o.id = e.organization_id
      cross join lateral (select e.occurred_at at time zone o.time_zone as at) as clock
    ), limited as (
      select period from quotas
      where organization_id = ${ctx.organizationId} and period in (select unnest(periods) from timed)
      order by period for update
    ), quota as (
      update quotas set used = quotas.used + counted.messages
      from (select q.period, sum(${countedMessages}) as messages from limited q join timed e on q.period = any (e.periods)
        group by q.period) as counted
      where quotas.organization_id = ${ctx.organizationId} and quotas.period = counted.period
      returning quotas.period
    ), monthly as (
      insert into usage_months (organization_id, month, agent_id, shard, messages, tokens, cost_micro_usd, unpriced_calls)
      select organization_id, month, coalesce(agent_id, '') as agent, ${shard}::int,
        sum(case when category = 'system_message' then 0 else messages end), 0, 0, 0
      from timed where (select count(*) from quota) >= 0
      group by organization_id, month, agent order by month, agent
      on conflict (organization_id, month, agent_id, shard) do update set messages = usage_months.messages + excluded.messages
      returning month
    )
    insert into usage_hours (organization_id, hour, category, channel, shard, messages, tokens, cost_micro_usd, unpriced_calls)
    select organization_id, date_trunc('hour', occurred_at, 'UTC') as hour, category, channel, ${shard}::int, sum(messages), 0, 0, 0
    from e where (select count(*) from monthly) >= 0
    group by organization_id, hour, category, channel order by hour, category, channel
    on conflict (organization_id, hour, category, channel, shard) do update set messages = usage_hours.messages + excluded.messages`.execute(
    ctx.db,
  )
}

/** Of all events of one turn the same, so that a transaction which counts several of them holds one shard. */
function shardOf(sourceId: string): number {
  const [source = ''] = sourceId.split('/')
  let hash = 0
  for (let i = 0; i < source.length; i++) hash = (hash * 31 + source.charCodeAt(i)) | 0
  return Math.abs(hash) % SHARDS
}

/** Sums of whole hours: `range` must start and end on an hour. A day is that of the hour's start. `except`: hours that are left out. */
export async function listHourSums(
  ctx: OrgStoreContext,
  range: TimeRange,
  { timeZone, except }: { timeZone: string; except: number[] },
): Promise<UsageSum[]> {
  const day = sql<string>`to_char(${sql.ref('usage_hours.hour')} at time zone ${sql.lit(timeZone)}, 'YYYY-MM-DD')`
  let query = ctx.db
    .selectFrom('usage_hours')
    .where('organization_id', '=', ctx.organizationId)
    .where('hour', '>=', new Date(range.start))
    .where('hour', '<', new Date(range.end))
  if (except.length > 0) {
    const hours = except.map((at) => new Date(at).toISOString())
    query = query.where(sql<boolean>`usage_hours.hour <> all (${hours}::timestamptz[])`)
  }
  const rows = await query
    .select(({ fn }) => [
      day.as('day'),
      'category',
      'channel',
      fn.sum<number>('messages').as('messages'),
      fn.sum<number>('tokens').as('tokens'),
      fn.sum<number>('cost_micro_usd').as('cost'),
      fn.sum<number>('unpriced_calls').as('unpriced'),
    ])
    .groupBy(['category', 'channel', day])
    .execute()
  return rows.map(sumOf)
}

/** Sums of single events, for parts of hours and for hours that belong to two days. The ranges have nothing in common. */
export async function listEventSums(ctx: OrgStoreContext, ranges: TimeRange[], timeZone: string): Promise<UsageSum[]> {
  const day = sql<string>`to_char(${sql.ref('usage_events.occurred_at')} at time zone ${sql.lit(timeZone)}, 'YYYY-MM-DD')`
  const rows = await ctx.db
    .selectFrom('usage_events')
    .where('organization_id', '=', ctx.organizationId)
    .where((eb) =>
      eb.or(
        ranges.map(({ start, end }) =>
          eb.and([eb('occurred_at', '>=', new Date(start)), eb('occurred_at', '<', new Date(end))]),
        ),
      ),
    )
    .select(({ fn }) => [
      day.as('day'),
      'category',
      'channel',
      fn.sum<number>('messages').as('messages'),
      sql<number>`sum(usage_events.input_tokens::bigint + usage_events.output_tokens)`.as('tokens'),
      sql<number>`coalesce(sum(usage_events.cost_micro_usd), 0)`.as('cost'),
      sql<number>`count(*) filter (where ${isUnpriced})`.as('unpriced'),
    ])
    .groupBy(['category', 'channel', day])
    .execute()
  return rows.map(sumOf)
}

/** Of `usage_events`, as the index of those says it. */
const isUnpriced = sql<boolean>`usage_events.model is not null and usage_events.cost_micro_usd is null`

type SumRow = Pick<UsageSum, 'day' | 'category' | 'channel' | 'messages' | 'tokens'> & {
  cost: number
  unpriced: number
}

function sumOf({ cost, unpriced, messages, tokens, ...of }: SumRow): UsageSum {
  return {
    ...of,
    ...{ messages: Number(messages), tokens: Number(tokens) },
    ...{ costMicroUsd: Number(cost), unpricedCalls: Number(unpriced) },
  }
}

/** Models whose calls have no known price, those with the most calls first. */
export async function listUnpricedModels(
  ctx: OrgStoreContext,
  { start, end }: TimeRange,
): Promise<{ model: string; calls: number }[]> {
  const rows = await ctx.db
    .selectFrom('usage_events')
    .where('organization_id', '=', ctx.organizationId)
    .where('occurred_at', '>=', new Date(start))
    .where('occurred_at', '<', new Date(end))
    .where(isUnpriced)
    .select([sql<string>`usage_events.model`.as('model'), sql<number>`count(*)::float8`.as('calls')])
    .groupBy('model')
    .orderBy('calls', 'desc')
    .orderBy('model')
    .limit(UNPRICED_MODELS_MAX)
    .execute()
  return rows
}

/** The organization's plan and what it may use a month; `allowance` is null when unlimited. */
export async function getPlan(ctx: OrgStoreContext) {
  const row = await ctx.db
    .selectFrom('organizations')
    .leftJoin('plans', 'plans.slug', 'organizations.plan')
    .where('organizations.id', '=', ctx.organizationId)
    .select([
      'organizations.plan as slug',
      'organizations.monthly_limit',
      'organizations.time_zone',
      'organizations.created_at',
      'plans.name',
      'plans.monthly_messages',
    ])
    .executeTakeFirstOrThrow()
  return {
    slug: row.slug,
    name: row.name,
    allowance: row.monthly_limit ?? row.monthly_messages,
    timeZone: row.time_zone,
    createdAt: row.created_at.getTime(),
  }
}

/** When the organization was made, or first used something, whichever is earlier; milliseconds since the epoch. */
export async function findUsageStart(ctx: OrgStoreContext, createdAt: number): Promise<number> {
  const row = await ctx.db
    .selectFrom('usage_hours')
    .where('organization_id', '=', ctx.organizationId)
    .select(({ fn }) => fn.min('hour').as('hour'))
    .executeTakeFirst()
  return row?.hour ? Math.min(createdAt, row.hour.getTime()) : createdAt
}
