// How many visitors of a web chat have it open, by the server that they are connected to.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table visitor_streams (
      organization_id text not null references organizations(id) on delete cascade, connection_id text not null,
      owner integer not null, open integer not null check (open > 0),
      primary key (connection_id, owner),
      foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade)`,
    `create index visitor_streams_organization on visitor_streams(organization_id)`,
    `create index visitor_streams_owner on visitor_streams(owner)`,
  ])
}
