// Which sources of a space agents may use, spaces that wait to be deleted, and where in a file a chunk or an error stands.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table knowledge_spaces add column disabled_sources jsonb not null default '[]',
      add column deleted_at timestamptz, add column deleted_links jsonb not null default '[]'`,
    `alter table agent_knowledge_spaces add column disabled_sources jsonb not null default '[]'`,
    `alter table documents add column row_count integer, add column column_count integer, add column sheet_count integer,
      add column error_at jsonb`,
    `alter table chunks add column last_page integer, add column sheet text, add column first_row integer,
      add column last_row integer, add column former_ids jsonb not null default '[]'`,
    'update chunks set last_page = page',
    'create index documents_ended on documents(organization_id, updated_at)',
  ])
}
