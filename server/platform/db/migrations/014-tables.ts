// Tables of a space: uploaded spreadsheets with typed columns, their rows, and the texts of a column that is searched.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table tables (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      knowledge_space_id text not null, name text not null, format text not null, size_bytes bigint not null,
      file_key text not null,
      status text not null check (status in ('uploaded', 'analyzing', 'importing', 'ready', 'error')),
      attempt integer not null default 0, error_reason text, warnings jsonb not null default '[]',
      columns jsonb not null default '[]', row_count integer not null default 0, analyzed_at timestamptz,
      imported_column integer, chunk_count integer, ready_chunk_count integer not null default 0,
      failed_chunk_count integer not null default 0, heartbeat_at timestamptz,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      unique (organization_id, id),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index tables_space on tables(organization_id, knowledge_space_id, created_at)`,
    `create index tables_unfinished on tables(heartbeat_at) where status in ('uploaded', 'analyzing', 'importing')`,
    `create table table_rows (
      organization_id text not null references organizations(id) on delete cascade, table_id text not null,
      number integer not null, cells jsonb not null, typed jsonb not null,
      primary key (table_id, number),
      foreign key (organization_id, table_id) references tables(organization_id, id) on delete cascade)`,
    'alter table chunks drop constraint chunks_source_kind_check',
    `alter table chunks add constraint chunks_source_kind_check check (source_kind in ('document', 'fragment', 'table')),
      add column import_status text check (import_status in ('pending', 'processing', 'ready', 'error'))`,
    `create index chunks_unfinished on chunks(organization_id, source_id, ordinal)
      where import_status in ('pending', 'processing', 'error')`,
  ])
}
