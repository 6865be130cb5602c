// Two transactions beside each other, for tests of the order in which rows are locked. Only PostgreSQL runs them so.
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Resolves when as many transactions of this database wait for others. To be asked in a transaction, or in none. */
export async function someoneWaits(db: Db, transactions = 1): Promise<void> {
  for (;;) {
    // What waits for a row does not say of which database it is: all else that it holds does.
    const { rows } = await sql`
      select distinct w.pid from pg_locks w
      join pg_locks h on h.pid = w.pid and h.database = (select oid from pg_database where datname = current_database())
      where not w.granted`.execute(db)
    if (rows.length >= transactions) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
