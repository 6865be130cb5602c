// Jobs that run by the clock of the machine, for tests that say themselves when one runs.
import { sql } from 'kysely'
import { JOBS_SCHEMA } from '#server/jobs/pg-boss.database.ts'
import type { TestApp } from './app.ts'

/** From now on the job runs only when it is sent. */
export async function takeOffSchedule({ database }: TestApp, { name }: { name: string }): Promise<void> {
  const taken = await sql`delete from ${sql.raw(JOBS_SCHEMA)}.schedule where name = ${name} returning name`.execute(
    database.root,
  )
  if (taken.rows.length !== 1) throw new Error(`${name} is on no schedule`)
}
