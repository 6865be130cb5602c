// A database on which thousands of seeds are played in a row, as fast at the end as at the beginning.
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { triggers } from '#server/platform/db/triggers.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

/** Statements are planned once, on empty tables: they must suit the large tables that these become. */
const SETTINGS = ['enable_seqscan = off']

/** A fresh database that writes no log for live queries: none are open here. */
export async function openDatabasePool(): Promise<TestDatabase> {
  const test = await openTestDatabase(SETTINGS)
  for (const { table, name } of triggers())
    await sql`alter table ${sql.table(table)} disable trigger ${sql.ref(name)}`.execute(test.database.root)
  return test
}

/** Replans, so that later plans suit the tables as they have grown. */
export async function analyse(database: Database): Promise<void> {
  await sql`analyze`.execute(database.root)
}
