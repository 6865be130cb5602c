// Exports of conversations as files.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { ExportedSet, ExportManner, ExportStatus } from '#shared/messaging/exports.ts'
import type { Json, Timestamp } from './columns.ts'

/** One requested file. The row is deleted with its file. */
export interface ExportsTable {
  id: Id<'exports'>
  organization_id: Id<'organizations'>
  /** Who requested it; null when the account is gone. */
  user_id: Id<'users'> | null
  /** The name under which the file is saved. */
  name: string
  chosen: Json<ExportedSet>
  manner: Json<ExportManner>
  status: Generated<ExportStatus>
  /** Conversations written so far. */
  done: Generated<number>
  /** Null until they are counted. */
  total: number | null
  file_key: string
  size_bytes: number | null
  /** When the file, or the row of a failed export, is deleted; null while it is in progress. */
  expires_at: Timestamp | null
  /** Last heartbeat of the worker that writes it. */
  heartbeat_at: Timestamp
  created_at: Timestamp
}
