// How much a connection may send in an hour and in a day, what it has sent, and whose words wait: a person's go before an agent's.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table channel_connections add column caps jsonb`,
    `alter table outbox add column is_own boolean not null default false`,
    `create table sent_counts (
      organization_id text not null references organizations(id) on delete cascade, connection_id text primary key,
      hour_from timestamptz, in_hour integer not null default 0 check (in_hour >= 0),
      day_from timestamptz, in_day integer not null default 0 check (in_day >= 0), last_at timestamptz,
      foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade)`,
    `create index sent_counts_organization on sent_counts(organization_id)`,
    `create index outbox_own_open on outbox(connection_id) where is_own and status in ('queued', 'claimed')`,
    `create index outbox_capped on outbox(connection_id, not_before)
      where status = 'queued' and error in ('cap_hour', 'cap_day', 'cap_pace')`,
  ])
}
