// Views of the inbox that are kept under a name, and with which of them each member begins.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table inbox_views (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      user_id text references users(id) on delete cascade, name text not null, query text not null,
      created_at timestamptz not null default now(), unique (organization_id, id))`,
    `create index inbox_views_user on inbox_views(user_id)`,
    `create table inbox_default_views (
      organization_id text not null references organizations(id) on delete cascade,
      user_id text not null references users(id) on delete cascade, view_id text not null,
      primary key (organization_id, user_id),
      foreign key (organization_id, view_id) references inbox_views(organization_id, id) on delete cascade)`,
    `create index inbox_default_views_view on inbox_default_views(organization_id, view_id)`,
    `create index inbox_default_views_user on inbox_default_views(user_id)`,
  ])
}
