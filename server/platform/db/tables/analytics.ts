// What is measured of conversations with customers. Kept by triggers; nothing else writes it.
import type { Generated, GeneratedAlways } from 'kysely'
import type { Outcome } from '#shared/analytics/facts.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { PauseReason } from '#shared/messaging/conversations.ts'
import type { GivenTimestamp, Timestamp } from './columns.ts'

/** What has become of a conversation; goes with it. Test chats have none. */
export interface ConversationFactsTable {
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  begun_at: GivenTimestamp
  agent_id: Id<'agents'>
  assignee_id: Id<'users'> | null
  channel: Channel
  /** It lies among the deleted ones, and is counted nowhere. */
  is_deleted: Generated<boolean>
  /** The customer's first message; null: there was none. */
  first_question_at: Timestamp | null
  /** From there to the first message of the agent or a person. */
  first_response_ms: number | null
  /** The last message of a person, or of the agent that a model has written. */
  last_answer_at: Timestamp | null
  /** Whose message is the last; ratings and notices are none. */
  last_word: 'customer' | 'agent' | 'operator' | null
  /** When it was ended; null: it is open. */
  ended_at: Timestamp | null
  /** How often the customer has written again soon after it was ended. */
  reopened_count: Generated<number>
  /** Why a person was first called, or came uncalled; null: never. */
  handoff_reason: PauseReason | null
  /** The customer's last rating. */
  rating: number | null
  /** A search for an answer found too little. */
  did_not_know: Generated<boolean>
  cost_micro_usd: Generated<number>
  /** Model calls whose price is unknown; their cost is not in `cost_micro_usd`. */
  unpriced_calls: Generated<number>
  /** The organization's, in which `last_day` is; null: no message is counted. */
  time_zone: string | null
  /** `YYYY-MM-DD`: the last day on which messages were written. It becomes one of `message_days` when another begins. */
  last_day: string | null
  /** The last day before it on which messages were written. */
  previous_day: string | null
  /** Messages of the last day, by who wrote them. */
  day_customer: Generated<number>
  day_agent: Generated<number>
  day_operator: Generated<number>
  outcome: GeneratedAlways<Outcome>
  /** From the first question to the end, or to the last answer where the agent has resolved it; null: neither. */
  resolution_ms: GeneratedAlways<number> | null
}

/** Messages of a conversation on a day before its last, by who wrote them. */
export interface MessageDaysTable {
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  /** `YYYY-MM-DD` in the organization's time zone: rows are counted again when that changes. */
  day: string
  /** The last day before it on which messages were written: by it conversations are counted without being compared. */
  previous_day: string | null
  /** Those of the conversation: sums over many conversations read these rows alone. */
  agent_id: Id<'agents'>
  assignee_id: Id<'users'> | null
  channel: Channel
  is_deleted: Generated<boolean>
  customer: Generated<number>
  agent: Generated<number>
  operator: Generated<number>
}
