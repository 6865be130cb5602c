// How long the passages of documents are: a setting of their space, kept with each document as it was cut.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['knowledge_spaces', 'documents']) {
    await run(db, [
      `alter table ${table} add column passage_length smallint not null default 700,
        add column passage_overlap smallint not null default 120`,
    ])
  }
}
