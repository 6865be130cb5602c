// The template of the installation, in versions.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** Makes the table. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table prompt_templates (
      number integer primary key check (number > 0),
      text text not null check (text <> ''),
      author_id text references users(id) on delete set null,
      restored_from integer,
      created_at timestamptz not null
    )`,
    `create index prompt_templates_author on prompt_templates (author_id)`,
  ])
}
