// Usage: one event per counted thing (the truth) and hourly sums of them, written in the same transaction.
import type { Generated } from 'kysely'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { UsageCategory, UsagePurpose } from '#shared/organizations/billing.ts'
import type { GivenTimestamp, Json, Timestamp } from './columns.ts'

export interface UsageEventsTable {
  /** What is counted: id of the turn or message. The primary key: nothing is counted twice. */
  source_id: string
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'> | null
  category: UsageCategory
  channel: Channel
  messages: number
  provider: string | null
  model: string | null
  input_tokens: number
  output_tokens: number
  /** Null: the price is unknown. */
  cost_micro_usd: number | null
  price_version: string | null
  /** In which conversation it was spent, and on what; null: in none. */
  conversation_id: Id<'conversations'> | null
  purpose: UsagePurpose | null
  occurred_at: Timestamp
}

/** Sums of one hour. `shard` spreads concurrent writers over several rows. */
export interface UsageHoursTable {
  organization_id: Id<'organizations'>
  hour: GivenTimestamp
  category: UsageCategory
  channel: Channel
  shard: number
  messages: Generated<number>
  tokens: Generated<number>
  cost_micro_usd: Generated<number>
  unpriced_calls: Generated<number>
}

/** Sums of one month of the organization, by its clock, of one agent. `shard` spreads concurrent writers over several rows. */
export interface UsageMonthsTable {
  organization_id: Id<'organizations'>
  /** `YYYY-MM` */
  month: string
  /** Empty: of no agent. */
  agent_id: Id<'agents'> | ''
  shard: number
  /** Those that use up the allowance. */
  messages: Generated<number>
  tokens: Generated<number>
  cost_micro_usd: Generated<number>
  /** Model calls whose price is unknown; their cost is not in `cost_micro_usd`. */
  unpriced_calls: Generated<number>
}

/**
 * What a limit counts. A row is made when a limit first asks for it, and kept true from then on by what is recorded. `period` is one of
 *   `YYYY-MM`            a month of the organization
 *   `YYYY-MM agent`      a month of an agent
 *   `YYYY-MM-DD agent`   a day of an agent
 * in the organization's time zone, with the agent's id.
 */
export interface QuotasTable {
  organization_id: Id<'organizations'>
  period: string
  /** Answers that were counted. */
  used: Generated<number>
  /** Open turns, which a trigger frees however they end, and rows of `quota_holds`: each will need one more. */
  reserved: Generated<number>
  cost_micro_usd: Generated<number>
  /** Model calls whose price is unknown; their cost is not in `cost_micro_usd`. */
  unpriced_calls: Generated<number>
  /** The team was told that the limit is near. */
  is_warned: Generated<boolean>
}

/** One message of a period, taken while a model writes for the team. */
export interface QuotaHoldsTable {
  id: string
  organization_id: Id<'organizations'>
  period: string
  /** Who took it has died by then, and has given nothing back. */
  expires_at: GivenTimestamp
}

/** Things the interface reports, such as an id found where a slug was expected. */
export interface AnalyticsEventsTable {
  id: string
  organization_id: Id<'organizations'>
  kind: string
  data: Json<unknown>
  occurred_at: Timestamp
}
