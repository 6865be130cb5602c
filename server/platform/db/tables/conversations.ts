// Conversations and the reply pipeline's own tables: messages, turns, outbox.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Channel } from '#shared/channels/channels.ts'
import type { ChosenTemplate } from '#shared/channels/templates.ts'
import type { Id } from '#shared/ids.ts'
import type {
  ConversationPlace,
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
  /** When a paused conversation resumes by itself. */
  resume_at: Timestamp | null
  /** Grows with every pause: a reply that was begun before a pause is recognised by it and thrown away. */
  pause_epoch: Generated<number>
  /** Sequence of the newest message that needs no answer any more: customer messages after it wait for one. */
  answered_through: Generated<number>
  /** What the customer, or the team, was last told by a rule: reason → milliseconds since the epoch. */
  notices: ColumnType<Partial<Record<string, number>>, string | undefined, string>
  /** The day, `YYYY-MM-DD` in the organization's time zone, of which `answers_count` counts the answers. */
  answers_on: string | null
  answers_count: Generated<number>
  /** Why the agent is silent; a `PauseReason`. Null: unless paused. */
  pause_reason: PauseReason | null
  paused_at: Timestamp | null
  /** Who of the team has silenced the agent; null: unless paused by somebody who is known. They may be gone. */
  paused_by: Id<'users'> | null
  /** A rule, the customer or the agent has called a person, and none has come yet: also when the agent speaks again meanwhile. */
  needs_person: Generated<boolean>
  /** Why the agent last fell silent, and what it noted for the person; kept after it speaks again. */
  handoff_reason: PauseReason | null
  handoff_note: string | null
  /** Customer messages up to this sequence call nobody any more, whatever they say. */
  phrases_through: Generated<number>
  /** What people said while the agent was silent, in short, when it was long; up to the sequence `stretch_through`. */
  stretch_summary: string | null
  stretch_through: Generated<number>
  /** What was said up to `summary_through`, in short, for a model that is not given all of it. */
  summary: string | null
  summary_through: Generated<number>
  /** When the customer's silence is next broken. */
  follow_up_at: Timestamp | null
  /** Follow-ups sent since the customer last wrote. */
  follow_up_step: Generated<number>
  /** Test chat only: which of two chats beside each other. */
  test_variant: TestVariant | null
  /** From 1 to 5: what the customer last thought of the help; null: never said. */
  rating_score: number | null
  rating_comment: string | null
  rated_at: Timestamp | null
  /** Sequence up to which the customer has rated, or did not want to. */
  rated_through: Generated<number>
  /** When the customer is to be asked for a rating in their channel; null: not to be. */
  rating_ask_at: Timestamp | null
  /** The message by which they were last asked; null: never. It may not have been sent. */
  rating_question_id: Id<'messages'> | null
  /** The message that last thanked them, which may be answered by a few words; null: none. */
  rating_thanks_id: Id<'messages'> | null
  /** Sequence of the last question for a rating: what was said before it is not asked about again. */
  rating_asked_through: Generated<number>
  customer_typing_at: Timestamp | null
  operator_typing_at: Timestamp | null
  message_count: Generated<number>
  unread_count: Generated<number>
  last_message_author: MessageAuthor | null
  /** First 200 characters. */
  last_message_text: string | null
  last_message_at: Timestamp
  /** Where it lies. */
  place: Generated<ConversationPlace>
  /** When it was put there; null: it has always been in the inbox. */
  placed_at: Timestamp | null
  /** Whose it is to look after. */
  assignee_id: Id<'users'> | null
  /** Since when the customer waits for an answer or for a person; null: not at all. Kept by a trigger. */
  waiting_since: Timestamp | null
  /** Since when it waits for a person to be found who takes it; null: not at all. Kept by a trigger. */
  queued_at: Timestamp | null
  /** When the customer is told that nobody is free; null: not to be told, or told already. Set by a trigger. */
  unattended_at: Timestamp | null
  /** When they were told so, of the call that stands; null: not yet. A trigger forgets it with the next call. */
  unattended_told_at: Timestamp | null
  /** With which others it is shown as one; null: with none. */
  thread_id: Id<'threads'> | null
  /** Those in which it was before, the last of them last: a separation goes back to it. */
  earlier_threads: DefaultJson<Id<'threads'>[]>
  created_at: Timestamp
}

export interface ConversationTagsTable {
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  tag: string
}

/** A silence of the agent as a message keeps it. `since`: milliseconds since the epoch. */
export type HeldBy = { reason: PauseReason; since: number; by: Id<'users'> | null }

export interface MessagesTable {
  id: Id<'messages'>
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  /** Order within the conversation. What is changed while it is being answered is said anew: it moves to the end. */
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
  /** Test chat only: the texts that the imitated channel would send one after another. */
  parts: Json<string[]> | null
  /** Sentences of the answer that state what the model was not given; null: none, or not looked for. */
  unfounded: Json<string[]> | null
  /** What the agent offers below it to press; null: nothing. */
  choices: Json<string[]> | null
  /** Customer messages: by which the provider names it within the chat when it is changed. */
  external_id: string | null
  /** Customer messages of a group: who of it wrote. */
  speaker: string | null
  /** Customer messages: what they reply to, in short. */
  quoted: string | null
  /** Customer messages: whose words they pass on; null: they are their own. */
  forwarded: Json<Forward> | null
  /** When the customer last changed it. */
  edited_at: Timestamp | null
  /** Customer messages: what kept the agent silent when it came; null: nothing. */
  held: Json<HeldBy> | null
  created_at: Timestamp
}

/**
 * pending ─► running ─► done | failed
 *    ▲          │
 *    └──────────┘ owner died (setbacks + 1)   pending ─► merged: its messages went into a newer turn
 */
export type TurnStatus = 'pending' | 'running' | 'done' | 'failed' | 'merged'

/** One answer to everything a customer has said since the last reply. At most one pending and one running per conversation. */
export interface TurnsTable {
  id: Id<'turns'>
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  status: TurnStatus
  /** Grows with every claim; fences an owner that was thought dead. */
  epoch: Generated<number>
  /** How often it was broken off by accident: its server died or stood still, or something failed that never should. */
  setbacks: Generated<number>
  /** Number of the server process that runs it (see server/domain/messaging/turns/liveness.ts). */
  owner: number | null
  /** Owner's promise to be alive until then, database clock. */
  lease_until: Timestamp | null
  not_before: Timestamp
  /** When the customer began to wait for it; what superseded an earlier turn has that one's. */
  waiting_since: Timestamp
  /** Why it ended as it did: `replied`, or the code of the gate or failure. `withheld`: answered, and a pause kept all of it back. */
  outcome: string | null
  /** What `answered_through` of the conversation was when it read it; null: it has read nothing, or has given no answer long ago. */
  answered_before: number | null
  /** Sequence of the newest message that it knew when it ended; null: it has read nothing, or ended long ago. */
  read_through: number | null
  /** The answer while it is being written, where somebody reads along: see server/domain/messaging/team/drafts.store.ts. */
  draft: string | null
  /** The draft is not for the customer's eyes. */
  is_draft_for_team: Generated<boolean>
  /** Model attempts made, with their costs. */
  attempts: Json<unknown[]>
  /** `follow_up` breaks the customer's silence. */
  kind: Generated<TurnKind>
  /** Number of the agent's version that it was last worked on with. */
  agent_version: number | null
  /** Test chat only: what the tester has changed for this answer. */
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
  /** A recording that is sent instead of the text; null: the text is sent. */
  attachment_id: Id<'attachments'> | null
  /** A template that is sent instead of the text; null: the text is sent. */
  template: Json<ChosenTemplate> | null
  status: DeliveryStatus
  attempt: Generated<number>
  owner: number | null
  lease_until: Timestamp | null
  not_before: Timestamp
  /** Milliseconds that a person would need to type it: the part follows the one before it after that time. */
  delay_ms: Generated<number>
  /** A person of the team has written it: it goes before what agents have written, in other conversations. */
  is_own: Generated<boolean>
  external_message_id: string | null
  /** An attempt may have arrived, and it was to be tried again. */
  may_have_arrived: Generated<boolean>
  /** Since when it is tried, without the time in which its account might not send; null: not yet. */
  first_tried_at: Timestamp | null
  /** When the provider told that it has arrived; null: not told. */
  delivered_at: Timestamp | null
  /** When the provider told that it was read; null: not told. */
  read_at: Timestamp | null
  error: string | null
  created_at: Timestamp
  updated_at: Timestamp
}
