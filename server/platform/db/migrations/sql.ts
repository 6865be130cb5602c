// What every migration uses.
import { type Kysely, sql } from 'kysely'

/** Runs statements one after another. One statement a string: a driver call carries only one. */
export async function run(db: Kysely<never>, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
