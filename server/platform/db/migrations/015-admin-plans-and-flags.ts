// What administrators of the installation change: words about plans, flags with exceptions for organizations, and ways to find invitations.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const statements = [
  `alter table plans add column description text not null default ''`,
  `create table flags (
    key text primary key,
    description text not null default '',
    is_enabled boolean not null,
    updated_at timestamptz not null
  )`,
  `create table flag_overrides (
    organization_id text not null references organizations(id) on delete cascade,
    key text not null,
    is_enabled boolean not null,
    updated_at timestamptz not null,
    primary key (organization_id, key)
  )`,
  `create index invites_newest on invites (created_at, id)`,
  `create index plan_requests_open on plan_requests (created_at, id) where withdrawn_at is null and settled_at is null`,
  `create index users_email_domain on users (split_part(email, '@', 2))`,
  `create index organizations_support_domain on organizations (split_part(support_email, '@', 2))`,
  `create index organizations_plan on organizations (plan)`,
]

/** Makes the column, the tables and the indexes. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
