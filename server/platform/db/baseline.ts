// Databases from before the first release were made by 96 migrations, which are one now. What they made is the same, so such a database only
// gets the history of a new one. One that had not come to the end of them has to do so with the version that has them.
import { type Kysely, sql } from 'kysely'
import { StartError } from '#server/platform/lib/start-error.ts'
import type { Tables } from './tables/database.ts'

const FIRST_EARLIER = '001-accounts'
const LAST_EARLIER = '113-profiles-and-errors'
const EARLIER_COUNT = 96
const INITIAL = '001-initial'

/** Whether migrations of before the first release made the database. `names`: of those that were carried out in it. */
export function isBeforeBaseline(names: readonly string[]): boolean {
  return names.includes(FIRST_EARLIER)
}

/**
 * Replaces the history of a database from before the first release by `001-initial`; of another it changes nothing.
 * @throws StartError when the earlier migrations were not carried out to their end
 */
export async function adoptBaseline(root: Kysely<Tables>): Promise<void> {
  await root.transaction().execute(async (db) => {
    await sql`lock table kysely_migration in exclusive mode`.execute(db) // another server may be starting too
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    const names = new Set(rows.map(({ name }) => name))
    if (!names.has(FIRST_EARLIER)) return
    if (names.size !== EARLIER_COUNT || !names.has(LAST_EARLIER)) throw new StartError(incomplete(names.size))
    await sql`delete from kysely_migration`.execute(db)
    await sql`insert into kysely_migration (name, timestamp) values (${INITIAL}, ${new Date().toISOString()})`.execute(
      db,
    )
  })
}

function incomplete(count: number): string {
  return [
    `The database is of a version from before the first release: it has ${count} of ${EARLIER_COUNT} earlier migrations, which are one now.`,
    'Start the last version that has them (commit 7beddcaa) once, wait until it is ready, stop it, and start this version again.',
  ].join('\n')
}
