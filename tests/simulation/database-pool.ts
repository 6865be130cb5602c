// A database on which thousands of seeds are played in a row: as fast at the end as it is at the beginning.
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { triggers } from '#server/platform/db/triggers.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

/** Statements are planned once, on empty tables: as for the large ones that these become. */
const SETTINGS = ['enable_seqscan = off']

/** A fresh database that writes no log for live queries: nobody here has any. */
export async function openDatabasePool(): Promise<TestDatabase> {
  const test = await openTestDatabase(SETTINGS)
  for (const { table, name } of triggers())
    await sql`alter table ${sql.table(table)} disable trigger ${sql.ref(name)}`.execute(test.database.root)
  return test
}

/** What is planned from now on suits the tables as they have become. */
export async function analyse(database: Database): Promise<void> {
  await sql`analyze`.execute(database.root)
}
