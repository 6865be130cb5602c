// The servers of this installation.
import type { Timestamp } from './columns.ts'

/** A server process: it renews `seen_at` while it runs, and removes its row when it stops. */
export interface ServersTable {
  /** A new one with every start. */
  id: string
  /** The machine that it runs on. */
  host: string
  version: string
  started_at: Timestamp
  seen_at: Timestamp
}
