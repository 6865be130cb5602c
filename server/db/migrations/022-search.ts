// From when on what is found counts as an answer, by space.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table knowledge_spaces add column enough_words double precision not null default 0.1,
      add column enough_meaning double precision not null default 0.6`,
  ])
}
