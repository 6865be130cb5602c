// A number that stands in for another one while that may not send: which, after how long, with which words, and what was rerouted so.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const organization = 'organization_id text not null references organizations(id) on delete cascade'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table channel_connections add column frozen_since timestamptz, add column stand_in_id text,
      add column stand_in_after_minutes integer not null default 15 check (stand_in_after_minutes > 0),
      add column stand_in_notice text not null default '',
      add constraint stand_in_is_another check (stand_in_id <> id),
      add constraint stand_in_is_of_the_organization foreign key (organization_id, stand_in_id)
        references channel_connections(organization_id, id)`,
    `update channel_connections set frozen_since = coalesce(account_state_since, now()) where is_frozen`,
    `create index channel_connections_stood_in on channel_connections(frozen_since)
      where is_frozen and stand_in_id is not null and disconnected_at is null`,
    `create table reroutes (
      id text primary key, ${organization}, conversation_id text not null, connection_id text not null, to_connection_id text not null,
      external_chat_id text not null, frozen_since timestamptz not null, created_at timestamptz not null default now(),
      unique (connection_id, external_chat_id, frozen_since),
      foreign key (organization_id, connection_id) references channel_connections(organization_id, id) on delete cascade,
      foreign key (organization_id, to_connection_id) references channel_connections(organization_id, id) on delete cascade,
      foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
    `create index reroutes_connection on reroutes(organization_id, connection_id, created_at desc)`,
    `create index reroutes_chat on reroutes(organization_id, external_chat_id, created_at desc)`,
    `create index reroutes_conversation on reroutes(organization_id, conversation_id)`,
  ])
}
