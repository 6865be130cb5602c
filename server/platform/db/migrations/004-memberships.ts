// A person may belong to several organizations, in each with a role; and is invited by a link.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const ROLES = `('owner', 'admin', 'builder', 'operator', 'analyst')`

/** Until now every member could do everything: they become administrators. */
const members = [
  `alter table members add column role text check (role in ${ROLES})`,
  `update members set role = case
    when exists (select from organizations o where o.id = members.organization_id and o.owner_id = members.user_id)
    then 'owner' else 'admin' end`,
  `alter table members alter column role set not null`,
  `alter table members drop constraint members_pkey`,
  `alter table members add primary key (user_id, organization_id)`,
  `create unique index members_one_owner on members (organization_id) where role = 'owner'`,
  `alter table operators drop constraint operators_pkey`,
  `alter table operators add primary key (organization_id, user_id)`,
  `drop index operators_organization`,
  `create index operators_user on operators (user_id)`,
]

const sessions = [
  `alter table sessions add column organization_id text references organizations(id) on delete set null`,
]

const invites = [
  `create table invites (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    email text not null,
    role text not null check (role in ${ROLES} and role <> 'owner'),
    token_hash text not null unique,
    invited_by text references users(id) on delete set null,
    created_at timestamptz not null default now(),
    sent_at timestamptz not null default now(),
    expires_at timestamptz not null,
    accepted_at timestamptz,
    accepted_by text references users(id) on delete set null,
    revoked_at timestamptz
  )`,
  `create unique index invites_one_open on invites (organization_id, email)
    where accepted_at is null and revoked_at is null`,
  `create index invites_organization on invites (organization_id, created_at)`,
  `create index invites_email on invites (email) where accepted_at is null and revoked_at is null`,
  `create index invites_invited_by on invites (invited_by)`,
  `create index invites_accepted_by on invites (accepted_by)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...members, ...sessions, ...invites])
}
