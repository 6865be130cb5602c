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
  /** The organization's, in which its days are; null: no message has been counted yet. */
  time_zone: string | null
  /** `YYYY-MM-DD`: the last day on which messages were written, unless it is one of `message_days` already. */
  last_day: string | null
  /** The last one of `message_days`. */
  previous_day: string | null
  /** The local day on which the conversation began, while it rests: its facts are in the sums of `begun_days`. */
  summed_day: string | null
  /** Messages of the last day, by who wrote them. */
  day_customer: Generated<number>
  day_agent: Generated<number>
  day_operator: Generated<number>
  outcome: GeneratedAlways<Outcome>
  /** From the first question to the end, or to the last answer where the agent has resolved it; null: neither. */
  resolution_ms: GeneratedAlways<number> | null
}

/** Messages of a conversation on a day that is over, by who wrote them. The last day that is not long over stands in its facts. */
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
  /** It is in the sums of `written_days`. */
  is_summed: Generated<boolean>
  customer: Generated<number>
  agent: Generated<number>
  operator: Generated<number>
}

/** Sums of days of conversations on which messages were written. Kept by a job, and by a trigger that takes out those that change. */
export interface WrittenDaysTable {
  organization_id: Id<'organizations'>
  /** `YYYY-MM-DD` in the organization's time zone. */
  day: string
  agent_id: Id<'agents'>
  channel: Channel
  assignee_id: Id<'users'> | null
  customer: number
  agent: number
  operator: number
  conversations: number
  /** Of each conversation the day before this one on which messages were written, if there was any; in no order. */
  previous_days: string[]
}

/** Sums of the conversations that began on a local day and rest: nothing is written in them. Kept by the job that puts them to rest, and by a
 * trigger that wakes them. */
export interface BegunDaysTable {
  organization_id: Id<'organizations'>
  /** `YYYY-MM-DD` in the organization's time zone. */
  day: string
  agent_id: Id<'agents'>
  channel: Channel
  assignee_id: Id<'users'> | null
  conversations: number
  resolved: number
  handed_off: number
  reopened: number
  unanswered: number
  ever_reopened: number
  did_not_know: number
  answered: number
  settled: number
  scored_1: number
  scored_2: number
  scored_3: number
  scored_4: number
  scored_5: number
  cost_micro_usd: number
  unpriced_calls: number
  unpriced: number
  /** Milliseconds, of each conversation that has such a time; in no order. */
  first_response_times: number[]
  resolution_times: number[]
}
