// Files of the web chat's visitors: how much of them has come in an hour, and widgets that take them.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table visitor_files (
      organization_id text not null references organizations(id) on delete cascade, connection_id text not null,
      visitor_id text not null, hour timestamptz not null, files integer not null, bytes bigint not null,
      primary key (connection_id, visitor_id, hour),
      foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade)`,
    `create index visitor_files_organization on visitor_files(organization_id)`,
    `update channel_connections set widget = widget || '{"takesFiles": true}'::jsonb where widget is not null`,
  ])
}
