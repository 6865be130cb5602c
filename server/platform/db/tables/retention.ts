// Receipts of what was removed.
import type { Id } from '#shared/ids.ts'
import type { Removal } from '#shared/messaging/retention.ts'
import type { Json, Timestamp } from './columns.ts'

/** Written in the transaction that removes, or after those that do. Never changed. */
export interface DeletionLogTable {
  id: Id<'removals'>
  organization_id: Id<'organizations'>
  kind: Removal['kind']
  /** Who requested it; null for removals by the settings, and when the account is gone. */
  user_id: Id<'users'> | null
  counts: Json<Removal['counts']>
  created_at: Timestamp
}
