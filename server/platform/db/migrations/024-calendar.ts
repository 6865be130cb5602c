// Calendars of agents: the account at Google that an agent is connected to, what a person has set up for it, and consents under way.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const statements = [
  `create table calendar_connections (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text not null unique references agents(id) on delete cascade,
    status text not null check (status in ('connected', 'reauthorization_required')),
    account text not null,
    refresh_token text not null,
    connected_by text not null,
    connected_at timestamptz not null,
    checked_at timestamptz not null,
    lost_at timestamptz,
    check ((status = 'reauthorization_required') = (lost_at is not null))
  )`,
  `create index calendar_connections_organization on calendar_connections (organization_id)`,
  // Revoking a consent at Google ends every connection of the same account.
  `create index calendar_connections_account on calendar_connections (account)`,
  `create index calendar_connections_due on calendar_connections (checked_at) where status = 'connected'`,
  `create table calendar_settings (
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text primary key references agents(id) on delete cascade,
    calendars jsonb,
    templates jsonb,
    availability jsonb,
    updated_at timestamptz not null
  )`,
  `create index calendar_settings_organization on calendar_settings (organization_id)`,
  `create table calendar_authorizations (
    state_hash text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    agent_id text not null references agents(id) on delete cascade,
    session_id text not null,
    verifier text not null,
    expires_at timestamptz not null
  )`,
  `create index calendar_authorizations_organization on calendar_authorizations (organization_id)`,
  `create index calendar_authorizations_agent on calendar_authorizations (agent_id)`,
  `create index calendar_authorizations_age on calendar_authorizations (expires_at)`,
]

/** Makes the tables. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
