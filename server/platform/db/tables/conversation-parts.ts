// What few conversations have: a row exists only once there is something to keep. All of them go with their conversation.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { Timestamp } from './columns.ts'

/** A row since the customer was to be asked for a rating, or gave one. */
export interface ConversationRatingsTable {
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  /** The customer's last rating, 1 to 5; null: none. */
  score: number | null
  comment: string | null
  rated_at: Timestamp | null
  /** Sequence up to which the customer has rated, or did not want to. */
  rated_through: Generated<number>
  /** When to ask the customer for a rating in their channel; null: not scheduled. */
  ask_at: Timestamp | null
  /** The last message that asked for a rating; null: none. It may not have been sent. */
  question_id: Id<'messages'> | null
  /** The last message that thanked for a rating, which a short comment may answer; null: none. */
  thanks_id: Id<'messages'> | null
  /** Sequence of the last question for a rating: messages before it are not asked about again. */
  asked_through: Generated<number>
}

/** A row since something of the conversation was summarised. */
export interface ConversationSummariesTable {
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  /** Summary of the messages up to `summary_through`, for a model that does not receive all of them. */
  summary: string | null
  summary_through: Generated<number>
  /** Summary of what operators and the customer wrote while the agent was paused, when that was long; up to `stretch_through`. */
  stretch_summary: string | null
  stretch_through: Generated<number>
}

/**
 * A row since an agent with follow-ups has answered. It stands while the agent stays active, unpaused since, and the customer has not
 * written after `answered_through`: messages and pauses do not write here.
 */
export interface ConversationFollowUpsTable {
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  /** When the next follow-up is due; null: none is. */
  due_at: Timestamp | null
  /** Follow-ups sent since the customer last wrote. */
  step: Generated<number>
  /** Those of the conversation when the follow-up was planned. */
  pause_epoch: number
  answered_through: number
}

/** A row since someone typed where the other side is shown it. The reader decides how old a mark may be. */
export interface ConversationTypingTable {
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  customer_at: Timestamp | null
  operator_at: Timestamp | null
}
