// Usage: one event per counted thing (the source of truth) and hourly sums of them, written in the same transaction.
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
  /** The conversation it was spent in, and on what; null: none. */
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

/** Sums of one agent in one calendar month of the organization's time zone. `shard` spreads concurrent writers over several rows. */
export interface UsageMonthsTable {
  organization_id: Id<'organizations'>
  /** `YYYY-MM` */
  month: string
  /** Empty: no agent. */
  agent_id: Id<'agents'> | ''
  shard: number
  /** Messages that count against the allowance. */
  messages: Generated<number>
  tokens: Generated<number>
  cost_micro_usd: Generated<number>
  /** Model calls whose price is unknown; their cost is not in `cost_micro_usd`. */
  unpriced_calls: Generated<number>
}

/** Sums of one organization on one day of the UTC calendar that is over. */
export interface UsageDaysTable {
  /** `YYYY-MM-DD` */
  day: string
  organization_id: Id<'organizations'>
  /** Messages that count against the allowance. */
  messages: number
  tokens: number
  cost_micro_usd: number
  unpriced_calls: number
}

/** Sums of one organization over as many days before `until`, so that an overview adds up organizations and not their days. */
export interface UsageWindowsTable {
  days: number
  organization_id: Id<'organizations'>
  /** `YYYY-MM-DD` of the UTC calendar; not included. */
  until: string
  messages: number
  tokens: number
  cost_micro_usd: number
  unpriced_calls: number
}

/** Sums of one model on one day of the UTC calendar that is over. `model`: `provider/model`; empty for what called none. */
export interface ModelDaysTable {
  day: string
  model: string
  calls: number
  messages: number
  tokens: number
  cost_micro_usd: number
  unpriced_calls: number
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
  /** Counted answers. */
  used: Generated<number>
  /** Open turns, which a trigger releases however they end, and rows of `quota_reservations`; each will use one more. */
  reserved: Generated<number>
  cost_micro_usd: Generated<number>
  /** Model calls whose price is unknown; their cost is not in `cost_micro_usd`. */
  unpriced_calls: Generated<number>
  /** The team was notified that the limit is near. */
  is_warned: Generated<boolean>
}

/** One message reserved while a model writes for the team. */
export interface QuotaReservationsTable {
  id: string
  organization_id: Id<'organizations'>
  period: string
  /** The holder has died without releasing it by then. */
  expires_at: GivenTimestamp
}

/** Events reported by the interface, such as an id found where a slug was expected. */
export interface AnalyticsEventsTable {
  id: string
  organization_id: Id<'organizations'>
  kind: string
  data: Json<unknown>
  occurred_at: Timestamp
}
