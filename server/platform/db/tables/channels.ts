// Channel connections, the customers behind them, and what came in.
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
  /** Telegram: bot id. WhatsApp: instance id. HTTP: one of ours. Web chat: public key. One live connection for each external account in the whole installation. */
  external_account_id: string
  /** HTTP: where events are posted, as people are shown it; null for other channels. */
  address: string | null
  status: ConnectionStatus
  delivery: 'webhook' | 'polling'
  /** A person has chosen `delivery`; otherwise it follows the public address of the installation. */
  delivery_chosen: Generated<boolean>
  /** Random part of the webhook URL. */
  webhook_path: string
  /** Encrypted. */
  webhook_secret: string
  /** Encrypted; what is in it only the channel's adapter knows. */
  token: string
  /** Last four characters of the secret that a person has entered. */
  token_tail: string
  /** Polling: the provider's receipt for what is stored, see `ChannelAdapter.poll`; null: nothing to confirm. */
  poll_offset: number | null
  /** Null for channels whose accounts are not phones. */
  account_state: AccountState | null
  /** When the provider last told or confirmed it. */
  account_state_at: Timestamp | null
  /** Since when it is so. */
  account_state_since: Timestamp | null
  /** The account may not send: parts wait, with `not_before` at infinity. */
  is_frozen: Generated<boolean>
  /** Since when it may not; null: it may. */
  frozen_since: Timestamp | null
  /** The connection through which conversations go on that wait while it may not; null: they wait. */
  stand_in_id: Id<'channelConnections'> | null
  /** After how long. */
  stand_in_after_minutes: Generated<number>
  /** What customers are told then; empty: words of ours. */
  stand_in_notice: Generated<string>
  /** What is wrong with it, or with receiving from it; null: nothing. */
  last_error: string | null
  /** Why the provider could not be reached with a message, or took none; null: it has been heard since. */
  send_error: string | null
  /** The latest of what stood in the columns of errors, newest first; kept by a trigger. */
  errors: DefaultJson<ConnectionFault[]>
  /** When a delivery was last turned away, signed as by somebody else, while none was taken since; null: none was. */
  turned_away_at: Timestamp | null
  /** Of a web chat: the site that was last not allowed to show it, as it would be listed; null: none since the list was last saved. */
  refused_site: string | null
  refused_site_at: Timestamp | null
  /** Written by the database: since when something has been wrong while it is on, which may pass by itself; null: nothing is. */
  failing_since: Timestamp | null
  /** Written by the database: it has worked before. */
  was_connected: Generated<boolean>
  /** Written by the database: it calls for people. */
  is_down: Generated<boolean>
  /**
   * When the attempt began by which the state was last judged: what an older one tells later is no news. Infinite: the provider refuses to
   * deliver, of which no attempt to send says anything.
   */
  judged_at: Timestamp | null
  /** Customers were refused an answer because of the state `error`: they are answered when it is over. */
  owes_answers: Generated<boolean>
  last_heartbeat_at: Timestamp | null
  last_inbound_at: Timestamp | null
  /** When the provider last took a message. */
  last_outbound_at: Timestamp | null
  /** How long the provider lately waited for the answer to a delivery, milliseconds; null: none has come. */
  webhook_ms: number | null
  /** What the provider has not delivered yet; null: it has not told. */
  pending_updates: number | null
  /** Why the provider's last delivery failed, as it tells; null: it does not. */
  provider_error: string | null
  messages_processed: Generated<number>
  /** Notifications that were fetched after they had waited: while nobody asked, or while deliveries failed. */
  recovered: Generated<number>
  /** Since when messages may never have come in, and until when; null: none is known to be missing. */
  missed_since: Timestamp | null
  missed_until: Timestamp | null
  /** Since when it has to be read in another way what the provider does not tell any more, until all of it is taken; null: nothing has. */
  gap_since: Timestamp | null
  /** Notifications that were not understood and are kept for a person to look at. */
  quarantined: Generated<number>
  /** When the last of them came. */
  quarantined_at: Timestamp | null
  /** Web chat only: how it looks and where it may stand; null for other channels. */
  widget: Json<WidgetSettings> | null
  /** What a person has set of it, as far as that was known when it was saved; null: nothing. */
  settings: Json<Partial<ConnectionSettings>> | null
  /** How much it may send; null: as much as there is. */
  caps: Json<Caps> | null
  /** What the provider last said of its delivery to us; null: it was never asked. */
  delivery_check: Json<DeliveryCheck> | null
  /** Telegram only: in whose names it answers, see `BusinessAccount`; empty for other channels. */
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
  /** How the customer has asked to be answered; null: they never said. */
  answers_by: 'text' | 'voice' | null
  /** As the team calls them; stands before what the channel says. Null: as the channel does. */
  given_name: string | null
  tags: DefaultJson<string[]>
  attributes: DefaultJson<ContactAttribute[]>
  /** What the team should know of them. */
  note: Generated<string>
  /** The contact that stands for the person; null: this one does. */
  person_id: Id<'customers'> | null
  /** With which contact it was merged: itself, or one of those that were merged with it, stands for the person. Null: with none. */
  merged_into: Id<'customers'> | null
  merged_at: Timestamp | null
  merged_by: Id<'users'> | null
  /** Since when nothing of the person may be removed; null: it may, unless another contact of theirs says otherwise. */
  legal_hold_at: Timestamp | null
  legal_hold_reason: string | null
  legal_hold_by: Id<'users'> | null
  /** The first one first. */
  lifted_holds: DefaultJson<LiftedHold[]>
  created_at: Timestamp
}

/**
 * By what else a connection knows a customer than by `external_id` of their row. What stands here goes before that: of two who turned out to
 * be one, it says with whom the conversation goes on.
 */
export interface CustomerIdentitiesTable {
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  external_id: string
  customer_id: Id<'customers'>
  created_at: Timestamp
}

/** One row for each notification of a provider, the key of "stored once". Kept at least 14 days. */
export interface InboundTable {
  id: string
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  /** As the adapter gives it; Telegram: update_id. Unique per connection; compared as a set, never as "greater than the last". */
  external_key: string
  /** `quarantined`: not understood, kept for a person to look at. */
  status: 'stored' | 'ignored' | 'quarantined'
  payload: Json<unknown>
  message_id: Id<'messages'> | null
  /** The message that it changes, in words of `edits.store.ts`; null: it changes none. */
  edit_of: string | null
  received_at: Timestamp
}

/** A receipt for a message that is not known yet: it came before the answer to its sending was written down, or is not for one of ours. */
export interface EarlyReceiptsTable {
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  external_message_id: string
  state: ReceiptState
  reason: string | null
  /** It is told of everything that was sent to the chat before it too. */
  is_up_to: Generated<boolean>
  received_at: Timestamp
}

/** What visitors of a web chat have sent in one hour: a row for each visitor, and one for all of the widget. */
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

/** Visitors of web chats whom agents answer, by the hour; also those who are asked to wait. */
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

/** Streams of a web chat that are open at one server; written when that changes. */
export interface VisitorStreamsTable {
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  /** Number of the server. */
  owner: number
  open: number
}

/** What a connection that may not send as much as there is has sent: in the hour and the day that began last with a message. */
export interface SentCountsTable {
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  hour_from: Timestamp | null
  in_hour: Generated<number>
  day_from: Timestamp | null
  in_day: Generated<number>
  last_at: Timestamp | null
}

/** A conversation that went on through another connection while its own might not send: told once for each customer and each such time. */
export interface ReroutesTable {
  id: string
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  /** By which the customer was written to before, and which could not send. */
  connection_id: Id<'channelConnections'>
  to_connection_id: Id<'channelConnections'>
  /** The same at both. */
  external_chat_id: string
  /** Of `connection_id`, as it was then. */
  frozen_since: GivenTimestamp
  created_at: Timestamp
}

/** One attempt to post an event to the program behind an HTTP connection; the last ones of each connection. */
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
