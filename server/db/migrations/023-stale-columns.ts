// What is told of a table's columns is made anew some time after its rows were changed.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table tables add column columns_stale_at timestamptz`])
}
