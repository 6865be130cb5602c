// Channel connections, the customers behind them, and inbound notifications.
import type { Generated } from 'kysely'
import type { Caps } from '#shared/channels/caps.ts'
import type {
  AccountState,
  BusinessAccount,
  Channel,
  ConnectionFault,
  ConnectionStatus,
  DeliveryCheck,
  DeliveryOutcome,
} from '#shared/channels/channels.ts'
import type { ConnectionSettings } from '#shared/channels/connection-settings.ts'
import type { WidgetSettings } from '#shared/channels/webchat.ts'
import type { Id } from '#shared/ids.ts'
import type { ContactAttribute, LiftedHold } from '#shared/messaging/contacts.ts'
import type { ReceiptState } from '#shared/messaging/conversations.ts'
import type { DefaultJson, GivenTimestamp, Json, Timestamp } from './columns.ts'

export interface ChannelConnectionsTable {
  id: Id<'channelConnections'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  channel: Exclude<Channel, 'test'>
  /** Telegram: bot username. WhatsApp: phone number, or the instance id until it is known. HTTP: a name. Web chat: title. */
  identifier: string
  /**
   * Telegram: bot id. WhatsApp: instance id. HTTP: one of ours. Web chat: public key. One live connection per external account in the whole
   * installation.
   */
  external_account_id: string
  /** HTTP: where events are posted, as people are shown it; null for other channels. */
  address: string | null
  status: ConnectionStatus
  delivery: 'webhook' | 'polling'
  /** Whether a person has chosen `delivery`; otherwise it follows the public address of the installation. */
  delivery_chosen: Generated<boolean>
  /** Random part of the webhook URL. */
  webhook_path: string
  /** Encrypted. */
  webhook_secret: string
  /** Encrypted; only the channel's adapter knows its format. */
  token: string
  /** Last four characters of the secret that a person has entered. */
  token_tail: string
  /** Polling: the provider's cursor for what is stored, see `ChannelAdapter.poll`; null: nothing to confirm. */
  poll_offset: number | null
  /** Null for channels whose accounts are not phones. */
  account_state: AccountState | null
  /** When the provider last reported or confirmed it. */
  account_state_at: Timestamp | null
  /** When it entered this state. */
  account_state_since: Timestamp | null
  /** Whether the account may not send: parts wait, with `not_before` at infinity. */
  is_frozen: Generated<boolean>
  /** Since when it may not; null: it may. */
  frozen_since: Timestamp | null
  /** The connection that takes over conversations that wait meanwhile; null: they wait. */
  stand_in_id: Id<'channelConnections'> | null
  /** How long the account must be unable to send before that. */
  stand_in_after_minutes: Generated<number>
  /** The text that customers receive then; empty: the built-in text. */
  stand_in_notice: Generated<string>
  /** The current error of the connection, or of receiving from it; null: none. */
  last_error: string | null
  /** Why the last message could not be delivered to the provider; null: it has been reachable since. */
  send_error: string | null
  /** The latest values of the error columns, newest first; kept by a trigger. */
  errors: DefaultJson<ConnectionFault[]>
  /** When a delivery with a foreign signature was last rejected; null: none was since the last accepted one. */
  signature_rejected_at: Timestamp | null
  /**
   * Of a web chat: the last site refused for not being listed, in the form in which it would be listed; null: none since the list was last
   * saved.
   */
  refused_site: string | null
  refused_site_at: Timestamp | null
  /** Written by the database: since when an enabled connection has had an error that may be transient; null: it has none. */
  failing_since: Timestamp | null
  /** Written by the database: it has worked before. */
  was_connected: Generated<boolean>
  /** Written by the database: it needs the attention of people. */
  is_down: Generated<boolean>
  /**
   * When the attempt began that determined the state; later reports of older attempts are ignored. Infinite: the provider refuses to
   * deliver, which a successful send does not disprove.
   */
  judged_at: Timestamp | null
  /** Customers got no answer because of the state `error`; they are answered once it is over. */
  owes_answers: Generated<boolean>
  last_heartbeat_at: Timestamp | null
  last_inbound_at: Timestamp | null
  /** When the provider last took a message. */
  last_outbound_at: Timestamp | null
  /** How long the provider lately waited for the answer to a delivery, milliseconds; null: not measured yet. */
  webhook_ms: number | null
  /** How many updates the provider has not delivered yet; null: unknown. */
  pending_updates: number | null
  /** Why the provider's last delivery failed, as reported by it; null: not reported. */
  provider_error: string | null
  messages_processed: Generated<number>
  /** Notifications that were fetched late: because polling had stopped, or because deliveries failed. */
  recovered: Generated<number>
  /** The period in which messages may have been lost; null: none is known to be. */
  missed_since: Timestamp | null
  missed_until: Timestamp | null
  /** Since when messages that the provider no longer reports must be fetched in another way, until all are fetched; null: none. */
  gap_since: Timestamp | null
  /** Notifications that were not understood and are kept for inspection. */
  quarantined: Generated<number>
  /** When the last of them arrived. */
  quarantined_at: Timestamp | null
  /** Web chat only: its appearance and the sites that may embed it; null for other channels. */
  widget: Json<WidgetSettings> | null
  /** Settings made by a person, limited to the fields known when they were saved; null: none. */
  settings: Json<Partial<ConnectionSettings>> | null
  /** Send limits; null: none. */
  caps: Json<Caps> | null
  /** The provider's last report on its deliveries to us; null: never requested. */
  delivery_check: Json<DeliveryCheck> | null
  /** Telegram only: the accounts on whose behalf it answers, see `BusinessAccount`; empty for other channels. */
  businesses: DefaultJson<BusinessAccount[]>
  linked_at: Timestamp
  disconnected_at: Timestamp | null
}

/** A person who writes to an agent, as one channel connection knows them. */
export interface CustomersTable {
  id: Id<'customers'>
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  external_id: string
  name: string
  username: string | null
  language: string | null
  /** How the customer asked to be answered; null: no preference. */
  answers_by: 'text' | 'voice' | null
  /** The team's name for them; takes precedence over the channel's. Null: the channel's is used. */
  given_name: string | null
  tags: DefaultJson<string[]>
  attributes: DefaultJson<ContactAttribute[]>
  /** The team's note about them. */
  note: Generated<string>
  /** The contact that represents the person; null: this one does. */
  person_id: Id<'customers'> | null
  /** The contact it was merged with, directly or through others. Null: none. */
  merged_into: Id<'customers'> | null
  merged_at: Timestamp | null
  merged_by: Id<'users'> | null
  /** Since when nothing of the person may be removed; null: no hold, unless another contact of theirs has one. */
  legal_hold_at: Timestamp | null
  legal_hold_reason: string | null
  legal_hold_by: Id<'users'> | null
  /** Oldest first. */
  lifted_holds: DefaultJson<LiftedHold[]>
  created_at: Timestamp
}

/**
 * Further ids by which a connection knows a customer, in addition to `external_id` of their row; they take precedence over it. When two
 * customers turned out to be one, it names the one whose conversation goes on.
 */
export interface CustomerIdentitiesTable {
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  external_id: string
  customer_id: Id<'customers'>
  created_at: Timestamp
}

/** One row for each notification of a provider, the key of "stored once". Kept at least 14 days. */
export interface InboundEventsTable {
  id: string
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  /** As the adapter gives it; Telegram: update_id. Unique per connection; compared as a set, never as "greater than the last". */
  external_key: string
  /** `quarantined`: not understood, kept for a person to look at. */
  status: 'stored' | 'ignored' | 'quarantined'
  payload: Json<unknown>
  message_id: Id<'messages'> | null
  /** The message that it changes, in the notation of `edits.store.ts`; null: none. */
  edit_of: string | null
  /** When an administrator asked to take it in again; null: not asked, or done. */
  replay_requested_at: Timestamp | null
  received_at: Timestamp
}

/** A receipt for a message that is not known yet: it arrived before the answer to its sending was stored, or the message is not ours. */
export interface EarlyReceiptsTable {
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  external_message_id: string
  state: ReceiptState
  reason: string | null
  /** It also covers everything that was sent to the chat before. */
  is_up_to: Generated<boolean>
  received_at: Timestamp
}

/** Files that visitors of a web chat have sent in one hour: a row for each visitor, and one for the whole widget. */
export interface VisitorFilesTable {
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  /** Empty: all visitors. */
  visitor_id: string
  /** When it began. */
  hour: GivenTimestamp
  files: number
  bytes: number
}

/** Visitors of web chats that agents answer, by the hour; also those asked to wait. */
export interface VisitorCountsTable {
  organization_id: Id<'organizations'>
  /** Empty: all of the organization. */
  connection_id: Id<'channelConnections'> | ''
  /** When it began. */
  hour: GivenTimestamp
  /** Answered for the first time. */
  new_visitors: number
  answers: number
}

/** Open streams of a web chat at one server; written when the number changes. */
export interface VisitorStreamsTable {
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  /** Number of the server. */
  owner: number
  open: number
}

/** Messages sent by a connection with send limits: in the current hour and the current day, each starting with its first message. */
export interface SentCountsTable {
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  hour_from: Timestamp | null
  in_hour: Generated<number>
  day_from: Timestamp | null
  in_day: Generated<number>
  last_at: Timestamp | null
}

/** A conversation that moved to another connection while its own could not send: the customer is notified once for each such period. */
export interface FailoverNoticesTable {
  id: string
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  /** The connection that the customer was written from before, and which could not send. */
  connection_id: Id<'channelConnections'>
  to_connection_id: Id<'channelConnections'>
  /** The same at both. */
  external_chat_id: string
  /** Of `connection_id`, as it was then. */
  frozen_since: GivenTimestamp
  created_at: Timestamp
}

/** One attempt to post an event to the program behind an HTTP connection; the latest of each connection are kept. */
export interface DeliveryAttemptsTable {
  id: string
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  /** Null: a test. */
  outbox_id: Id<'outbox'> | null
  attempt: number
  outcome: DeliveryOutcome
  /** Null: there was no answer. */
  http_status: number | null
  latency_ms: number
  reason: string | null
  created_at: Timestamp
}
