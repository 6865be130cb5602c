// SQL of usage: recording each counted thing once, and the sums that overviews show.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { ModelCall } from '#server/llm/llm.ts'
import type { UsageCategory } from '#shared/billing.ts'
import type { Channel } from '#shared/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { TimeRange } from '#shared/schema.ts'
import type { UsageSum } from './billing.rules.ts'

/** Rows over which concurrent writers of one hour are spread. */
const SHARDS = 8

/** What an hour adds up. */
const SUMMED = ['messages', 'tokens', 'cost_micro_usd', 'unpriced_calls'] as const

/** Something to be counted. */
export type UsageEvent = {
  /** Id of the turn, message or attempt that is counted: the same id is never counted twice. */
  sourceId: string
  agentId: Id<'agents'> | null
  category: UsageCategory
  channel: Channel
  messages: number
  /** The model call behind it; null when no model was asked. */
  call: Pick<ModelCall, 'provider' | 'model' | 'inputTokens' | 'outputTokens' | 'costMicroUsd' | 'priceVersion'> | null
  occurredAt: Date
}

/**
 * Counts one event, in the caller's transaction. Safe to repeat: an event that was counted changes nothing.
 * @returns whether it was counted now
 */
export async function recordUsage(ctx: OrgStoreContext, event: UsageEvent): Promise<boolean> {
  const { call } = event
  const counted = await ctx.db
    .with('counted', (db) =>
      db
        .insertInto('usage_events')
        .values({
          source_id: event.sourceId,
          organization_id: ctx.organizationId,
          agent_id: event.agentId,
          category: event.category,
          channel: event.channel,
          messages: event.messages,
          provider: call?.provider ?? null,
          model: call?.model ?? null,
          input_tokens: call?.inputTokens ?? 0,
          output_tokens: call?.outputTokens ?? 0,
          cost_micro_usd: call?.costMicroUsd ?? null,
          price_version: call?.priceVersion ?? null,
          occurred_at: event.occurredAt,
        })
        .onConflict((conflict) => conflict.column('source_id').doNothing())
        .returningAll(),
    )
    .with('added', (db) =>
      db
        .insertInto('usage_hours')
        .columns(['hour', 'category', 'channel', 'shard', ...SUMMED])
        .expression(
          // No row when the event was counted before: nothing is added then.
          db
            .selectFrom('counted')
            .select([
              sql<Date>`date_trunc('hour', occurred_at, 'UTC')`.as('hour'),
              'category',
              'channel',
              sql<number>`${shardOf(event.sourceId)}::int`.as('shard'),
              'messages',
              sql<number>`input_tokens + output_tokens`.as('tokens'),
              sql<number>`coalesce(cost_micro_usd, 0)`.as('cost_micro_usd'),
              sql<number>`(model is not null and cost_micro_usd is null)::int`.as('unpriced_calls'),
            ]),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'hour', 'category', 'channel', 'shard'])
            .doUpdateSet((eb) =>
              Object.fromEntries(SUMMED.map((sum) => [sum, eb(`usage_hours.${sum}`, '+', eb.ref(`excluded.${sum}`))])),
            ),
        ),
    )
    .selectFrom('counted')
    .select('source_id')
    .executeTakeFirst()
  return counted !== undefined
}

function shardOf(sourceId: string): number {
  let hash = 0
  for (let i = 0; i < sourceId.length; i++) hash = (hash * 31 + sourceId.charCodeAt(i)) | 0
  return Math.abs(hash) % SHARDS
}

/** Sums of whole hours: `range` must start and end on an hour. A day is that of the hour's start. */
export async function listHourSums(ctx: OrgStoreContext, range: TimeRange, timeZone: string): Promise<UsageSum[]> {
  const day = sql<string>`to_char(${sql.ref('usage_hours.hour')} at time zone ${sql.lit(timeZone)}, 'YYYY-MM-DD')`
  const rows = await ctx.db
    .selectFrom('usage_hours')
    .where('organization_id', '=', ctx.organizationId)
    .where('hour', '>=', new Date(range.start))
    .where('hour', '<', new Date(range.end))
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
  return rows.map((row) => ({
    day: row.day,
    category: row.category,
    channel: row.channel,
    messages: Number(row.messages),
    tokens: Number(row.tokens),
    costMicroUsd: Number(row.cost),
    unpricedCalls: Number(row.unpriced),
  }))
}

/** Sums of single events, for a part of an hour. */
export async function listEventSums(ctx: OrgStoreContext, range: TimeRange, timeZone: string): Promise<UsageSum[]> {
  const day = sql<string>`to_char(${sql.ref('usage_events.occurred_at')} at time zone ${sql.lit(timeZone)}, 'YYYY-MM-DD')`
  const rows = await ctx.db
    .selectFrom('usage_events')
    .where('organization_id', '=', ctx.organizationId)
    .where('occurred_at', '>=', new Date(range.start))
    .where('occurred_at', '<', new Date(range.end))
    .select([
      day.as('day'),
      'category',
      'channel',
      'messages',
      'model',
      'input_tokens',
      'output_tokens',
      'cost_micro_usd',
    ])
    .execute()
  return rows.map((row) => ({
    day: row.day,
    category: row.category,
    channel: row.channel,
    messages: row.messages,
    tokens: row.input_tokens + row.output_tokens,
    costMicroUsd: row.cost_micro_usd ?? 0,
    unpricedCalls: row.model !== null && row.cost_micro_usd === null ? 1 : 0,
  }))
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
