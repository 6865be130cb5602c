// From when on what is found counts as an answer, by space; vectors of the questions that a model has written for a passage; tags of
// sources, and the time in which they hold.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table knowledge_spaces add column enough_words double precision not null default 0.1,
      add column enough_meaning double precision not null default 0.6`,
    'alter table chunk_vectors add column question_number integer not null default 0',
    'alter table chunk_vectors drop constraint chunk_vectors_pkey, add primary key (chunk_id, model, question_number)',
    ...['documents', 'fragments', 'tables'].map(
      (table) => `alter table ${table} add column tags jsonb not null default '[]',
        add column valid_from timestamptz, add column valid_until timestamptz`,
    ),
    'alter table knowledge_spaces add column has_marks boolean not null default false',
    `alter table agent_knowledge_spaces add column tags jsonb not null default '[]'`,
  ])
}
