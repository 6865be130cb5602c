// One row that a server writes to find out whether the database takes writes.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table write_probe (
      only_row boolean primary key default true check (only_row),
      probed_at timestamptz not null
    )`,
  ])
}
