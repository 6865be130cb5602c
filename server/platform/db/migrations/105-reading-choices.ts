// How documents are read: in which encoding, with what their authors have hidden or without, and by which content they are known again.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table documents
      add column encoding text,
      add column encoding_choices jsonb,
      add column includes_hidden boolean not null default false,
      add column content_hash text`,
    'create index documents_by_content on documents(knowledge_space_id, content_hash) where content_hash is not null',
  ])
}
