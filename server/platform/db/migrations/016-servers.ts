// Servers of the installation, notifications that are to be taken in again, and what the page of its health reads.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** Makes the table, the column and the indexes. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table servers (
      id text primary key,
      host text not null,
      version text not null,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now()
    )`,
    `alter table inbound_events add column replay_requested_at timestamptz`,
    `create index inbound_events_replays on inbound_events (replay_requested_at) where replay_requested_at is not null`,
    `create index inbound_events_put_aside on inbound_events (received_at) where status = 'quarantined'`,
    `create index outbox_undelivered_since on outbox (updated_at) where status in ('failed', 'unknown')`,
  ])
}
