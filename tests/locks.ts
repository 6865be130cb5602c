// Two transactions beside each other, for tests of the order in which rows are locked. Only PostgreSQL runs them so.
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

/** Resolves when a transaction of this database waits for another. */
export async function someoneWaits({ root }: Database): Promise<void> {
  for (;;) {
    const { rows } =
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        root,
      )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
