// The web as a source of knowledge: what spaces allow to search, the searches of a day, and sites whose pages become documents.
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
    `create table sites (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      knowledge_space_id text not null, url text not null, mode text not null check (mode in ('crawl', 'sitemap')),
      max_pages integer not null, max_depth integer not null, every_hours integer,
      status text not null check (status in ('syncing', 'ready', 'stopped', 'error')), error_reason text,
      round integer not null default 0, seeded_round integer not null default 0, attempt integer not null default 0,
      heartbeat_at timestamptz, last_synced_at timestamptz, next_sync_at timestamptz,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      unique (organization_id, id), unique (knowledge_space_id, url),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index sites_due on sites(next_sync_at)`,
    `create index sites_unfinished on sites(heartbeat_at) where status = 'syncing'`,
    `create table site_pages (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      site_id text not null, url text not null, title text not null default '', depth integer not null, round integer not null,
      status text not null check (status in ('pending', 'done', 'skipped', 'failed')), reason text,
      content_hash text, document_id text, fetched_at timestamptz,
      unique (site_id, url),
      foreign key (organization_id, site_id) references sites(organization_id, id) on delete cascade,
      foreign key (organization_id, document_id) references documents(organization_id, id) on delete set null (document_id))`,
    `create index site_pages_pending on site_pages(site_id, round, depth, url) where status = 'pending'`,
    `create index site_pages_document on site_pages(organization_id, document_id)`,
  ])
}
