// Channel connections, the customers behind them, and what came in.
import type { Generated } from 'kysely'
import type { Channel, ConnectionStatus } from '#shared/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { Json, Timestamp } from './columns.ts'

export interface ChannelConnectionsTable {
  id: Id<'channelConnections'>
  organization_id: Id<'organizations'>
  agent_id: Id<'agents'>
  channel: Exclude<Channel, 'test'>
  /** Telegram: bot username. */
  identifier: string
  /** Telegram: bot id. One live connection for each external account in the whole installation. */
  external_account_id: string
  status: ConnectionStatus
  delivery: 'webhook' | 'polling'
  /** Random part of the webhook URL. */
  webhook_path: string
  /** Encrypted. */
  webhook_secret: string
  /** Encrypted. */
  token: string
  /** Last four characters of the token. */
  token_tail: string
  /** Polling: the next update to ask for; null before the first. */
  poll_offset: number | null
  last_error: string | null
  last_heartbeat_at: Timestamp | null
  last_inbound_at: Timestamp | null
  messages_processed: Generated<number>
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
  created_at: Timestamp
}

/** One row for each notification of a provider, the key of "stored once". Kept at least 14 days. */
export interface InboundTable {
  id: string
  organization_id: Id<'organizations'>
  connection_id: Id<'channelConnections'>
  /** Telegram: update_id. Unique per connection; compared as a set, never as "greater than the last". */
  external_key: string
  /** `quarantined`: not understood, kept for a person to look at. */
  status: 'stored' | 'ignored' | 'quarantined'
  payload: Json<unknown>
  message_id: Id<'messages'> | null
  received_at: Timestamp
}
