// Conversations as files.
import type { Generated } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { ExportedSet, ExportManner, ExportStatus } from '#shared/messaging/exports.ts'
import type { Json, Timestamp } from './columns.ts'

/** One file that was asked for. The row goes with its file. */
export interface ExportsTable {
  id: Id<'exports'>
  organization_id: Id<'organizations'>
  /** Who asked for it; null when the account is gone. */
  user_id: Id<'users'> | null
  /** By which the file is saved. */
  name: string
  chosen: Json<ExportedSet>
  manner: Json<ExportManner>
  status: Generated<ExportStatus>
  /** Conversations that are written. */
  done: Generated<number>
  /** Null until they are counted. */
  total: number | null
  file_key: string
  size_bytes: number | null
  /** When the file goes, or the row of what came to nothing; null while it is under way. */
  expires_at: Timestamp | null
  /** Last sign of life of whoever writes it. */
  heartbeat_at: Timestamp
  created_at: Timestamp
}
