// Connections to programs of the organization's own: where they are, and how the last attempts to reach them went.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table channel_connections add column address text`,
    `alter table outbox add column may_have_arrived boolean not null default false`,
    `create table delivery_attempts (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      connection_id text not null, outbox_id text references outbox(id) on delete cascade, attempt integer not null,
      outcome text not null check (outcome in ('sent', 'queued', 'failed', 'unknown')), http_status integer,
      latency_ms integer not null, reason text, created_at timestamptz not null default now(),
      foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade)`,
    `create index delivery_attempts_connection on delivery_attempts(connection_id, id desc)`,
    `create index delivery_attempts_part on delivery_attempts(outbox_id) where outbox_id is not null`,
  ])
}
