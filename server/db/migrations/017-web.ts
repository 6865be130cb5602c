// The web as a source of knowledge: what spaces allow to search, and the searches of a day.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table web_search_settings (
      knowledge_space_id text primary key, organization_id text not null references organizations(id) on delete cascade,
      is_enabled boolean not null default false, domains jsonb not null default '[]', daily_limit integer not null,
      updated_at timestamptz not null default now(),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create table web_searches (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      knowledge_space_id text not null, provider text not null, created_at timestamptz not null default now(),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index web_searches_day on web_searches(organization_id, created_at)`,
  ])
}
