// The realtime engine's own tables.
import type { Generated } from 'kysely'
import type { Json } from './columns.ts'

/** What each transaction touched, filled by statement triggers; read by every flush. Rows live about ten minutes. */
export interface WriteLogTable {
  xid: Generated<string>
  table_name: string
  /** Distinct key tuples of old and new rows; null: the whole table. */
  keys: Json<Record<string, string | number | null>[]> | null
  created_at: Generated<Date>
}

/** One row: the youngest transaction whose entries were pruned from the write log. */
export interface WriteLogHorizonTable {
  only_row: Generated<boolean>
  xid: string
}

/** One row, written to find out whether the database takes writes. */
export interface WriteProbeTable {
  only_row: Generated<boolean>
  probed_at: Date
}

/** Where a server of this installation keeps files; those that name the same store see each other's. */
export interface FileStoresTable {
  id: string
  /** The machine that named it last. */
  host: string
  seen_at: Date
}

/** The stored outcome of every mutation of a client session, so that a repeated request is answered and not run. */
export interface MutationLogTable {
  /** User id, or `anonymous`. */
  subject: string
  session_id: string
  request_id: number
  /** Function name and arguments, hashed. */
  fingerprint: string
  result: Json<unknown>
  xid: Generated<string>
  created_at: Generated<Date>
}
