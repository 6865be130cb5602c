// Sending that ends, and connections that are judged by their newest attempt.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table outbox add column first_tried_at timestamptz`,
    `alter table channel_connections add column judged_at timestamptz, add column owes_answers boolean not null default false,
      add column last_outbound_at timestamptz, add column webhook_ms integer, add column pending_updates integer,
      add column provider_error text`,
    `create index channel_connections_owing on channel_connections(id) where owes_answers`,
  ])
}
