// What operators work with alongside conversations: notes, mentions, canned replies, presence.
import type { Generated, GeneratedAlways } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { Presence, TranslationLanguage } from '#shared/messaging/operator-tools.ts'
import type { GivenTimestamp, Json, Timestamp } from './columns.ts'

/** Written by the team for itself: nothing that sends messages or asks models reads this table. */
export interface ConversationNotesTable {
  id: Id<'conversationNotes'>
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  /** Null when the account is gone. */
  user_id: Id<'users'> | null
  text: string
  created_at: Timestamp
}

export interface NoteMentionsTable {
  organization_id: Id<'organizations'>
  note_id: Id<'conversationNotes'>
  conversation_id: Id<'conversations'>
  /** Who was mentioned. */
  user_id: Id<'users'>
  /** When they had the conversation open. */
  seen_at: Timestamp | null
}

/** A customer's message translated for the team. */
export interface MessageTranslationsTable {
  organization_id: Id<'organizations'>
  message_id: Id<'messages'>
  language: TranslationLanguage
  /** Of the text that was translated: the customer may have edited it since. */
  source_digest: string
  /** Null: it is being written. */
  text: string | null
  /** The lease of the process that writes it. */
  claimed_until: GivenTimestamp
}

export interface CannedRepliesTable {
  id: Id<'cannedReplies'>
  organization_id: Id<'organizations'>
  /** The name by which it is found; unique ignoring case. */
  name: string
  /** Empty: there is none in this language. */
  text_ru: string
  text_en: string
  created_at: Timestamp
}

/** Filters and order of the inbox under a name. */
export interface InboxViewsTable {
  id: Id<'inboxViews'>
  organization_id: Id<'organizations'>
  /** Whose own it is; null: the organization's. */
  user_id: Id<'users'> | null
  name: string
  /** As the address of the inbox holds it, with the question mark. */
  query: string
  created_at: Timestamp
}

/** The view that a member's inbox opens with. */
export interface InboxDefaultViewsTable {
  organization_id: Id<'organizations'>
  user_id: Id<'users'>
  view_id: Id<'inboxViews'>
}

/** Who has a conversation open. Rows expire unless renewed. */
export interface ConversationPresenceTable {
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  user_id: Id<'users'>
  state: Presence['state']
  at: Timestamp
}

/** How a member accepts conversations that call for a person. No row: not at all. */
export interface OperatorsTable {
  organization_id: Id<'organizations'>
  user_id: Id<'users'>
  /** Whether conversations are assigned to them. */
  accepts_assignments: Generated<boolean>
  /** How many conversations they handle at once. */
  capacity: number
  /** Seven lists of hours, Monday first, in the organization's time zone; null: always. */
  hours: Json<number[][]> | null
  /** Whether the current time is within these hours. */
  is_within_hours: Generated<boolean>
  /** When that changes; null: never. */
  hours_change_at: Timestamp | null
  last_assigned_at: Timestamp | null
}

/** A change that may let a queued conversation find its operator. */
export interface RoutingSignalsTable {
  id: GeneratedAlways<number>
  organization_id: Id<'organizations'>
}
