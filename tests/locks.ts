// Two concurrent transactions, for tests of the order in which rows are locked. Only PostgreSQL runs them concurrently.
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** Resolves when this many transactions of this database wait for locks. To be called in a transaction, or in none. */
export async function someoneWaits(db: Db, transactions = 1): Promise<void> {
  for (;;) {
    // A lock on a row does not name its database; the other locks of the waiting transaction do.
    const { rows } = await sql`
      select distinct w.pid from pg_locks w
      join pg_locks h on h.pid = w.pid and h.database = (select oid from pg_database where datname = current_database())
      where not w.granted`.execute(db)
    if (rows.length >= transactions) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
