// Alerts for people of the team, their alert settings, and what was sent to them.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { AlertDetails, AlertKind, AlertSettings, OutsideWay } from '#shared/organizations/alerts.ts'
import type { GivenTimestamp, Json, Timestamp } from './columns.ts'

/** One alert of one person. Written by triggers in the transaction of its cause; one for each subject until it was seen. */
export interface AlertsTable {
  id: Generated<Id<'alerts'>>
  organization_id: Id<'organizations'>
  user_id: Id<'users'>
  kind: AlertKind
  /** What it is about: a conversation, a connection, an agent and what became of it, a version, or a month and how much of it is used. */
  subject: string
  conversation_id: Id<'conversations'> | null
  connection_id: Id<'channelConnections'> | null
  /** What has happened, where no row is read for it; null: it is about a conversation or a connection. */
  details: Json<AlertDetails> | null
  /** When it was decided where it is sent; null: not yet. */
  planned_at: Timestamp | null
  /** When the person saw it, or it was over. */
  seen_at: Timestamp | null
  created_at: Timestamp
}

/**
 * An alert on its way out of Parley. What is `sending` is never sent again: it may have arrived. A push may be: it takes the place of itself.
 *
 * waiting ─► sending ─► sent | failed
 *    ▲          │
 *    └──────────┘ definitely not taken      waiting ─► dropped: seen meanwhile, over, or the person has left
 */
export interface AlertSendsTable {
  organization_id: Id<'organizations'>
  alert_id: Id<'alerts'>
  way: OutsideWay
  status: Generated<'waiting' | 'sending' | 'sent' | 'failed' | 'dropped'>
  attempts: Generated<number>
  not_before: GivenTimestamp
}

/** Missing settings have their default: see `defaultAlerts`. */
export interface AlertSettingsTable {
  organization_id: Id<'organizations'>
  user_id: Id<'users'>
  settings: Json<Partial<AlertSettings>>
}

/** Where the alert bot writes to a person. */
export interface AlertChatsTable {
  organization_id: Id<'organizations'>
  user_id: Id<'users'>
  /** Null: none yet, or no longer. */
  chat_id: string | null
  /** Of the account behind the chat, as Telegram tells it. */
  name: string | null
  /** SHA-256 of the code by which the next chat is recognised, hexadecimal; null: none is open. */
  code_hash: string | null
  code_until: Timestamp | null
}

/** A browser in which alerts show up by push, as long as the person is signed in there. */
export interface PushDevicesTable {
  organization_id: Id<'organizations'>
  user_id: Id<'users'>
  /** In which push was switched on. */
  session_id: Id<'sessions'>
  /** Endpoint of its push service. */
  endpoint: string
  /** Its public key on the curve P-256, and the secret that goes into each encryption: RFC 8291. Base64url. */
  p256dh: string
  auth: string
  /** As people name it. */
  name: string
  created_at: Timestamp
}
