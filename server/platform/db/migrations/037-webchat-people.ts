// The web chat between people: what a visitor thought of the help, who is typing, and an answer while it is being written.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table conversations add column rating_score smallint check (rating_score between 1 and 5), add column rating_comment text,
      add column rated_at timestamptz, add column rated_through bigint not null default 0,
      add column customer_typing_at timestamptz, add column operator_typing_at timestamptz`,
    `alter table turns add column draft text`,
  ])
}
