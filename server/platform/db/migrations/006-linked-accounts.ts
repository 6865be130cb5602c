// Connections whose accounts are phones: their state, and whether it lets anything be sent.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table channel_connections add column account_state text, add column account_state_at timestamptz,
      add column is_frozen boolean not null default false`,
    `create index outbox_sent on outbox(connection_id, external_message_id) where external_message_id is not null`,
    `create index outbox_parked on outbox(connection_id) where status = 'queued' and not_before = 'infinity'`,
  ])
}
