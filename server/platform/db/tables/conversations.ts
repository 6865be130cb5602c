// Conversations and the reply pipeline's own tables: messages, turns, outbox.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Channel } from '#shared/channels/channels.ts'
import type { ChosenTemplate } from '#shared/channels/templates.ts'
import type { Id } from '#shared/ids.ts'
import type {
  ConversationFolder,
  ConversationStatus,
  DeliveryStatus,
  MessageAuthor,
  MessageSource,
  MessageStatus,
  PauseReason,
} from '#shared/messaging/conversations.ts'
import type { Forward } from '#shared/messaging/forwards.ts'
import type { TestVariant } from '#shared/messaging/test-chat.ts'
import type { TurnKind, TurnTrace } from '#shared/messaging/trace.ts'
import type { DefaultJson, Json, Timestamp } from './columns.ts'

export interface ConversationsTable {
  id: Id<'conversations'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  channel: Channel
  /** Null in the test chat. */
  connection_id: Id<'channelConnections'> | null
  customer_id: Id<'customers'> | null
  /** Test chat only: whose chat it is. */
  test_user_id: Id<'users'> | null
  /** Where replies go; Telegram: chat id. Null in the test chat. */
  external_chat_id: string | null
  status: ConversationStatus
  /** When a paused conversation resumes automatically. */
  resume_at: Timestamp | null
  /** Grows with every pause: a reply that was begun before a pause is detected by it and discarded. */
  pause_epoch: Generated<number>
  /** Sequence of the newest message that needs no answer; customer messages after it wait for one. */
  answered_through: Generated<number>
  /** When each rule last notified the customer or the team: reason → milliseconds since the epoch. */
  notices: ColumnType<Partial<Record<string, number>>, string | undefined, string>
  /** The day that `answers_count` refers to, `YYYY-MM-DD` in the organization's time zone. */
  answers_on: string | null
  answers_count: Generated<number>
  /** Reason of the pause; null unless paused. */
  pause_reason: PauseReason | null
  paused_at: Timestamp | null
  /** The operator who paused the agent; null: unless paused by a known one. The account may be gone. */
  paused_by: Id<'users'> | null
  /** A rule, the customer or the agent has called a person, and none has come yet; stays true when the agent resumes meanwhile. */
  needs_person: Generated<boolean>
  /** Why the agent was last paused, and its note for the person; kept after it resumes. */
  handoff_reason: PauseReason | null
  handoff_note: string | null
  /** Customer messages up to this sequence trigger no handoff phrase any more. */
  phrases_through: Generated<number>
  /** Test chat only: which of two chats side by side. */
  test_variant: TestVariant | null
  message_count: Generated<number>
  unread_count: Generated<number>
  last_message_author: MessageAuthor | null
  /** First 200 characters. */
  last_message_text: string | null
  last_message_at: Timestamp
  /** Which folder it is in. */
  folder: Generated<ConversationFolder>
  /** When it was moved there; null: it has always been in the inbox. */
  moved_at: Timestamp | null
  /** The operator it is assigned to. */
  assignee_id: Id<'users'> | null
  /** Since when the customer waits for an answer or for a person; null: not waiting. Kept by a trigger. */
  waiting_since: Timestamp | null
  /** Since when it waits in the queue for an operator; null: not queued. Kept by a trigger. */
  queued_at: Timestamp | null
  /** When to notify the customer that no operator is free; null: not scheduled, or sent already. Set by a trigger. */
  unattended_at: Timestamp | null
  /** When that notice was sent for the current call; null: not yet. A trigger resets it with the next call. */
  unattended_told_at: Timestamp | null
  /** The thread in which it is shown together with others; null: none. */
  thread_id: Id<'threads'> | null
  /** Its earlier threads, the latest last: a separation restores it. */
  earlier_threads: DefaultJson<Id<'threads'>[]>
  created_at: Timestamp
}

export interface ConversationTagsTable {
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  tag: string
}

/** The pause of the agent as stored with a message. `since`: milliseconds since the epoch. */
export type HeldBy = { reason: PauseReason; since: number; by: Id<'users'> | null }

export interface MessagesTable {
  id: Id<'messages'>
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  /** Order within the conversation. A message that is edited while it is being answered gets a new one: it moves to the end. */
  sequence: GeneratedAlways<number>
  author: MessageAuthor
  /** Operator messages: who wrote. */
  user_id: Id<'users'> | null
  text: string
  status: MessageStatus
  reason: string | null
  /** The turn that produced it. */
  turn_id: Id<'turns'> | null
  sources: Json<MessageSource[]>
  model: string | null
  input_tokens: number | null
  output_tokens: number | null
  /** Millionths of a US dollar; null: unknown price. */
  cost_micro_usd: number | null
  price_version: string | null
  latency_ms: number | null
  first_token_ms: number | null
  /** Number of the agent's version that wrote it. */
  agent_version: number | null
  attachment_count: Generated<number>
  /** Test chat only: the texts that the imitated channel would send in order. */
  parts: Json<string[]> | null
  /** Sentences of the answer that state what was not in the model's context; null: none, or not checked. */
  unfounded: Json<string[]> | null
  /** The answer options shown below it; null: none. */
  choices: Json<string[]> | null
  /** Customer messages: the provider's id within the chat, used by edits. */
  external_id: string | null
  /** Customer messages of a group: which member wrote. */
  speaker: string | null
  /** Customer messages: an excerpt of what they reply to. */
  quoted: string | null
  /** Customer messages: whose message they forward; null: not forwarded. */
  forwarded: Json<Forward> | null
  /** When the customer last changed it. */
  edited_at: Timestamp | null
  /** Customer messages: the pause that was in effect on arrival; null: none. */
  held: Json<HeldBy> | null
  created_at: Timestamp
}

/**
 * pending ─► running ─► done | failed
 *    ▲          │
 *    └──────────┘ owner died (crashes + 1)   pending ─► merged: its messages went into a newer turn
 */
export type TurnStatus = 'pending' | 'running' | 'done' | 'failed' | 'merged'

/** One answer to all customer messages since the last reply. At most one pending and one running per conversation. */
export interface TurnsTable {
  id: Id<'turns'>
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  status: TurnStatus
  /** Grows with every claim; fences an owner that was thought dead. */
  epoch: Generated<number>
  /** How often it was interrupted: its server died or froze, or an unexpected error occurred. */
  crashes: Generated<number>
  /** Number of the server process that runs it (see server/domain/messaging/pipeline/liveness.ts). */
  owner: number | null
  /** The owner's lease, by the database clock. */
  lease_until: Timestamp | null
  not_before: Timestamp
  /** When the customer began to wait for it; inherited from a superseded turn. */
  waiting_since: Timestamp
  /** Why it ended: `replied`, or the code of the gate or failure. `withheld`: answered, and a pause held all of it back. */
  outcome: string | null
  /** `answered_through` of the conversation when the turn read it; null: it read nothing, or predates the column. */
  answered_before: number | null
  /** Sequence of the newest message that it knew when it ended; null: it read nothing, or predates the column. */
  read_through: number | null
  /** The answer so far while it is being written, for clients that stream it: see server/domain/messaging/turns/drafts.store.ts. */
  draft: string | null
  /** Whether the draft is hidden from the customer. */
  is_draft_for_team: Generated<boolean>
  /** Model attempts made, with their costs. */
  attempts: Json<unknown[]>
  /** `follow_up` is sent after a silence of the customer. */
  kind: Generated<TurnKind>
  /** Number of the agent's version that last worked on it. */
  agent_version: number | null
  /** Test chat only: the tester's overrides for this answer. */
  overrides: Json<unknown> | null
  /** Period, `YYYY-MM`, in which a message of the allowance is reserved for it. */
  reserved_period: string | null
  /** Period, `YYYY-MM-DD agent`, in which an answer of its agent's day is reserved for it. */
  reserved_day: string | null
  created_at: Timestamp
  started_at: Timestamp | null
  finished_at: Timestamp | null
}

/** How a turn came to its end, for people: see shared/messaging/trace.ts. */
export interface TurnTracesTable {
  turn_id: Id<'turns'>
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  trace: Json<TurnTrace>
  created_at: Timestamp
}

/** One part of one message on its way to a channel. Sent in order per conversation. */
export interface OutboxTable {
  id: Id<'outbox'>
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  conversation_id: Id<'conversations'>
  message_id: Id<'messages'>
  part: number
  sequence: GeneratedAlways<number>
  external_chat_id: string
  text: string
  /** A recording sent instead of the text; null: the text is sent. */
  attachment_id: Id<'attachments'> | null
  /** A template sent instead of the text; null: the text is sent. */
  template: Json<ChosenTemplate> | null
  status: DeliveryStatus
  attempt: Generated<number>
  owner: number | null
  lease_until: Timestamp | null
  not_before: Timestamp
  /** Simulated typing time in milliseconds: the part is sent this long after the previous one. */
  delay_ms: Generated<number>
  /** Written by an operator: sent before what agents have written in other conversations. */
  is_own: Generated<boolean>
  external_message_id: string | null
  /** An attempt may have been delivered, and it was to be retried. */
  may_have_arrived: Generated<boolean>
  /** When the first attempt was made, moved by the time in which the account could not send; null: not yet. */
  first_tried_at: Timestamp | null
  /** When the provider reported delivery; null: not reported. */
  delivered_at: Timestamp | null
  /** When the provider reported that it was read; null: not reported. */
  read_at: Timestamp | null
  error: string | null
  created_at: Timestamp
  updated_at: Timestamp
}
