// Jobs that run by the clock of the machine, for tests that say themselves when one runs.
import { sql } from 'kysely'
import { vi } from 'vitest'
import { scheduledName } from '#server/platform/jobs/brief-jobs.ts'
import type { Job } from '#server/platform/jobs/jobs.ts'
import { JOBS_SCHEMA } from '#server/platform/jobs/pg-boss.database.ts'
import type { TestApp } from './app.ts'

/** Where pg-boss puts what a schedule has begun before it is in its own queue. */
const BEGUN = '__pgboss__send-it'
const PATIENCE = { timeout: 60_000, interval: 100 }

/** From now on the job, and those that begin together with it, run only when they are sent: what the schedule had begun has ended. */
export async function takeOffSchedule(
  { database }: TestApp,
  job: Pick<Job<never, never>, 'name' | 'schedule' | 'isBrief'>,
): Promise<void> {
  const name = scheduledName(job)
  const taken = await sql`delete from ${sql.raw(JOBS_SCHEMA)}.schedule where name = ${name} returning name`.execute(
    database.root,
  )
  if (taken.rows.length !== 1) throw new Error(`${name} is on no schedule`)
  await vi.waitFor(async () => {
    const left = await sql`select from ${sql.raw(JOBS_SCHEMA)}.job where name in (${name}, ${BEGUN})
      and state in ('created', 'retry', 'active')`.execute(database.root)
    if (left.rows.length > 0) throw new Error(`${name} is still under way`)
  }, PATIENCE)
}
