// Agents, knowledge spaces and what is in them. Composite foreign keys make a reference across organizations impossible.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const organization = `organization_id text not null references organizations(id) on delete cascade`

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table agents (
      id text primary key, ${organization}, slug text not null, name text not null, avatar text,
      system_prompt text not null default '', model text not null, temperature real not null default 1,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(), deleted_at timestamptz,
      unique (organization_id, id), unique (organization_id, slug))`,
    `create table knowledge_spaces (
      id text primary key, ${organization}, slug text not null, name text not null, description text not null default '',
      index_version integer not null default 0,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      unique (organization_id, id), unique (organization_id, slug))`,
    `create table agent_knowledge_spaces (
      organization_id text not null, agent_id text not null, knowledge_space_id text not null,
      created_at timestamptz not null default now(),
      primary key (agent_id, knowledge_space_id),
      foreign key (organization_id, agent_id) references agents(organization_id, id) on delete cascade,
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index agent_knowledge_spaces_space on agent_knowledge_spaces(organization_id, knowledge_space_id)`,
    `create table documents (
      id text primary key, ${organization}, knowledge_space_id text not null, name text not null, format text not null,
      size_bytes bigint not null, file_key text not null,
      status text not null check (status in ('uploading', 'processing', 'ready', 'error')),
      progress real not null default 0, attempt integer not null default 0, error_reason text,
      warnings jsonb not null default '[]', chunk_count integer not null default 0, token_count integer not null default 0,
      page_count integer, heartbeat_at timestamptz,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      unique (organization_id, id),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index documents_space on documents(organization_id, knowledge_space_id, created_at)`,
    `create index documents_unfinished on documents(heartbeat_at) where status in ('uploading', 'processing')`,
    `create table fragments (
      id text primary key, ${organization}, knowledge_space_id text not null, name text not null, content text not null,
      also_asked_as jsonb not null default '[]', token_count integer not null,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      unique (organization_id, id),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index fragments_space on fragments(organization_id, knowledge_space_id, created_at, id)`,
    `create table chunks (
      id text primary key, ${organization}, knowledge_space_id text not null,
      source_kind text not null check (source_kind in ('document', 'fragment')), source_id text not null, ordinal integer not null,
      title text not null, heading_path jsonb not null default '[]', body text not null, also_asked_as jsonb not null default '[]',
      token_count integer not null, content_hash text not null, page integer,
      start_offset integer not null, end_offset integer not null, is_enabled boolean not null default true,
      created_at timestamptz not null default now(),
      unique (source_id, ordinal),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index chunks_space on chunks(organization_id, knowledge_space_id)`,
    `create table index_segments (
      id text primary key, ${organization}, knowledge_space_id text not null,
      chunk_count integer not null, blob bytea not null, deleted bytea not null,
      created_at timestamptz not null default now(),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index index_segments_space on index_segments(organization_id, knowledge_space_id)`,
  ])
}
