// Delivery receipts of channels: delivered, read, failed after acceptance; also those that arrive early.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table outbox add column delivered_at timestamptz, add column read_at timestamptz`,
    `create table early_receipts (
      organization_id text not null references organizations(id) on delete cascade, connection_id text not null,
      external_message_id text not null, state text not null check (state in ('delivered', 'read', 'failed')), reason text,
      received_at timestamptz not null default now(),
      primary key (connection_id, external_message_id),
      foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade)`,
    `create index early_receipts_age on early_receipts(received_at)`,
    `create index outbox_undelivered on outbox(connection_id, updated_at) where status in ('failed', 'unknown')`,
  ])
}
