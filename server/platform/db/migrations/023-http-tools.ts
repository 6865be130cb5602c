// HTTP tools of organizations with their vault and the hosts that they may call, and the calls of all tools of agents.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const statements = [
  `create table tool_secrets (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    name text not null,
    host text not null,
    value text not null,
    updated_at timestamptz not null,
    unique (organization_id, name)
  )`,
  `create table tool_hosts (
    organization_id text not null references organizations(id) on delete cascade,
    host text not null,
    added_at timestamptz not null,
    primary key (organization_id, host)
  )`,
  `create table http_tools (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    name text not null,
    definition jsonb not null,
    example jsonb,
    failures_in_row integer not null default 0,
    failure text,
    failed_at timestamptz,
    used_on text,
    used_count integer not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (organization_id, name)
  )`,
  `create table tool_calls (
    organization_id text not null references organizations(id) on delete cascade,
    turn_id text not null,
    position integer not null,
    conversation_id text not null,
    agent_id text not null,
    name text not null,
    has_failed boolean not null,
    refusal text,
    duration_ms integer not null,
    called_at timestamptz not null default now(),
    primary key (turn_id, position),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade
  )`,
  `create index tool_calls_conversation on tool_calls (organization_id, conversation_id)`,
  `create index tool_calls_agent on tool_calls (organization_id, agent_id, called_at desc)`,
  `create index tool_calls_age on tool_calls (organization_id, called_at)`,
]

/** Makes the tables. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
