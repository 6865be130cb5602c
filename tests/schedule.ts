// Jobs that run by the clock of the machine, for tests that say themselves when one runs.
import { sql } from 'kysely'
import { scheduledName } from '#server/platform/jobs/brief-jobs.ts'
import type { Job } from '#server/platform/jobs/jobs.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs/pg-boss.database.ts'
import type { TestApp } from './app.ts'

/** From now on the job, and those that begin together with it, run only when they are sent. */
export async function takeOffSchedule(
  { database }: TestApp,
  job: Pick<Job<never, never>, 'name' | 'schedule' | 'isBrief'>,
): Promise<void> {
  const name = scheduledName(job)
  const taken = await sql`delete from ${sql.raw(JOBS_SCHEMA)}.schedule where name = ${name} returning name`.execute(
    database.root,
  )
  if (taken.rows.length !== 1) throw new Error(`${name} is on no schedule`)
}
