// Letters of accounts and organizations: an outbox.
import type { Generated } from 'kysely'
import type { GivenTimestamp, Timestamp } from './columns.ts'

/**
 * waiting ─► sending ─► sent | kept (no mail server is configured) | failed
 *    ▲          │
 *    └──────────┘ definitely not taken
 */
export interface LettersTable {
  id: string
  recipient: string
  kind: string
  language: 'ru' | 'en'
  /** What it says besides its kind, as encrypted JSON: links in it let in. Null once it was sent or has failed. */
  content: string | null
  state: Generated<'waiting' | 'sending' | 'sent' | 'kept' | 'failed'>
  attempts: Generated<number>
  next_attempt_at: GivenTimestamp
  /** When its link runs out: it is not sent after that. Null: never. */
  expires_at: Timestamp | null
  /** Why the last attempt failed: an answer of the mail server, or a code of ours. */
  last_error: string | null
  created_at: GivenTimestamp
  sent_at: Timestamp | null
}
