// MCP servers that organizations connect, their tools as they were seen and allowed, and consents at OAuth servers under way.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const statements = [
  `create table mcp_servers (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    name text not null,
    short_name text not null,
    url text not null,
    authorizes_by text not null check (authorizes_by in ('none', 'bearer', 'oauth')),
    credentials text,
    status text not null check (status in ('pending', 'connected', 'reauthorization_required')),
    failure text,
    refreshed_at timestamptz,
    looked_at timestamptz not null,
    created_at timestamptz not null,
    unique (organization_id, short_name)
  )`,
  `create index mcp_servers_due on mcp_servers (looked_at) where status <> 'pending'`,
  `create table mcp_tools (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    server_id text not null references mcp_servers(id) on delete cascade,
    name text not null,
    model_name text not null,
    latest jsonb not null,
    latest_hash text not null,
    pinned jsonb,
    pinned_hash text,
    is_gone boolean not null default false,
    problem text,
    approval text not null default 'operator' check (approval in ('none', 'customer', 'operator')),
    failures_in_row integer not null default 0,
    failure text,
    failed_at timestamptz,
    used_on text,
    used_count integer not null default 0,
    created_at timestamptz not null,
    unique (server_id, name),
    unique (organization_id, model_name),
    check ((pinned is null) = (pinned_hash is null))
  )`,
  `create table mcp_authorizations (
    state_hash text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    server_id text not null references mcp_servers(id) on delete cascade,
    session_id text not null,
    asked text not null,
    expires_at timestamptz not null
  )`,
  `create index mcp_authorizations_organization on mcp_authorizations (organization_id)`,
  `create index mcp_authorizations_server on mcp_authorizations (server_id)`,
  `create index mcp_authorizations_age on mcp_authorizations (expires_at)`,
]

/** Makes the tables. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
