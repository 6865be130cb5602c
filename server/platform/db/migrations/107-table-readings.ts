// How a person wants the file of a table to be read, and the beginning of its sheet, by which they say so.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table tables add column reading jsonb not null default '{}'`,
    `alter table tables add column first_rows jsonb not null default '[]'`,
  ])
}
