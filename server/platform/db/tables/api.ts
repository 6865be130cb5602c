// Tokens of the HTTP API, and its stored answers; outgoing webhooks: their addresses, what has happened, and how each delivery went.
import type { Generated, GeneratedAlways } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { ApiScope } from '#shared/organizations/policy.ts'
import type { DeliveryState, EndpointState, WebhookType } from '#shared/webhooks/webhooks.ts'
import type { Json, Timestamp } from './columns.ts'

export interface ApiTokensTable {
  id: Id<'apiTokens'>
  organization_id: Id<'organizations'>
  name: string
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string
  token_tail: string
  /** What the token may be used for. */
  scopes: Generated<ApiScope[]>
  created_by: Id<'users'> | null
  created_at: Timestamp
  last_used_at: Timestamp | null
  /** The minute in which requests are counted, and how many there were. */
  window_started_at: Timestamp | null
  window_requests: Generated<number>
}

/** The answer to a request with an idempotency key, so that it is not executed again. */
export interface ApiRequestsTable {
  organization_id: Id<'organizations'>
  /** The caller's idempotency key. */
  key: string
  /** Equal for requests with equal content. */
  fingerprint: string
  status: number
  /** Wrapped: a bare JSON null is indistinguishable from SQL null. */
  answer: Json<{ body: unknown }>
  created_at: Timestamp
}

/** An address that hears of what happens. */
export interface WebhookEndpointsTable {
  id: Id<'webhookEndpoints'>
  organization_id: Id<'organizations'>
  url: string
  description: Generated<string>
  types: WebhookType[]
  /** At most so many attempts a minute; null: as fast as they are answered. */
  per_minute: number | null
  /** Encrypted. */
  secret: string
  /** Encrypted; the one before, with which events are signed too until `previous_until`. */
  previous_secret: string | null
  previous_until: Timestamp | null
  /** `off`: by a person, and nothing is kept for it. `disabled`: by us, and what happens waits. */
  state: Generated<EndpointState>
  disabled_reason: 'failing' | 'gone' | null
  /** Failed attempts since the last success; those of one pause count as one. */
  failures: Generated<number>
  failing_since: Timestamp | null
  /** No attempt before this moment. */
  retry_at: Timestamp | null
  /** Since when too much waits for it: no new events are kept for it. */
  full_since: Timestamp | null
  /** The minute in which attempts are counted, and how many there were; kept only where `per_minute` is set. */
  minute_at: Timestamp | null
  minute_count: Generated<number>
  /** To the minute. */
  last_delivered_at: Timestamp | null
  created_by: Id<'users'> | null
  created_at: Timestamp
}

/** What has happened, once for all endpoints of the organization. Goes with its conversation. */
export interface WebhookEventsTable {
  id: Generated<Id<'webhookEvents'>>
  organization_id: Id<'organizations'>
  type: WebhookType
  subject: string
  conversation_id: Id<'conversations'> | null
  /** The only one that hears of it; null: all that want its type. */
  endpoint_id: Id<'webhookEndpoints'> | null
  /** Of an event that is written once, such as the month's limit being near. */
  once_key: string | null
  data: Json<Record<string, unknown>>
  created_at: Timestamp
}

/** The events of one subject (a conversation, a document) at one endpoint, which leave one after another. */
export interface WebhookQueuesTable {
  organization_id: Id<'organizations'>
  endpoint_id: Id<'webhookEndpoints'>
  subject: string
  /** When the first that waits may be tried; null: none waits. */
  due_at: Timestamp | null
  tried_at: Timestamp | null
  /** Which attempt holds it, and until when another may take it for dead. */
  lease: string | null
  lease_until: Timestamp | null
}

/** One event on its way to one endpoint. */
export interface WebhookDeliveriesTable {
  id: Generated<Id<'webhookDeliveries'>>
  organization_id: Id<'organizations'>
  endpoint_id: Id<'webhookEndpoints'>
  event_id: Id<'webhookEvents'>
  type: WebhookType
  subject: string
  sequence: GeneratedAlways<number>
  state: Generated<DeliveryState>
  /** Attempts since it was made, or replayed. */
  tries: Generated<number>
  first_tried_at: Timestamp | null
  /** All attempts, those before a replay included. */
  attempts: Generated<number>
  last_tried_at: Timestamp | null
  last_status: number | null
  last_error: string | null
  created_at: Timestamp
}

/** One attempt of a delivery. */
export interface WebhookAttemptsTable {
  organization_id: Id<'organizations'>
  delivery_id: Id<'webhookDeliveries'>
  number: number
  /** HTTP status; null: there was no answer. */
  status: number | null
  /** Why it failed, as a code; null: it did not. */
  error: string | null
  latency_ms: number
  /** The beginning of the answer. */
  answer: Generated<string>
  created_at: Timestamp
}
