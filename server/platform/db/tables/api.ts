// Tokens of the HTTP API, and its stored answers.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { Json, Timestamp } from './columns.ts'

export interface ApiTokensTable {
  id: Id<'apiTokens'>
  organization_id: Id<'organizations'>
  name: string
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string
  token_tail: string
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
