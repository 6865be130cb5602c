// SQL of the queues as administrators see them: what waits, what fails, and how a failed job is queued again.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { FailureCause } from '#shared/organizations/health.ts'
import { causeOf, type KeptFailure } from './failures.rules.ts'

/** A queue with something in it. `oldestAt`: since when the job could run that has waited longest. */
export type QueueState = {
  name: string
  waiting: number
  running: number
  failed: number
  oldestAt: Date | null
}

/** A job that failed at its last attempt. `nextAt`: when it is tried again; null: not any more. */
export type FailingJob = {
  id: string
  queue: string
  attempts: number
  failedAt: Date | null
  nextAt: Date | null
  cause: FailureCause
}

/** Queues of pg-boss itself. */
const isOurs = sql<boolean>`name not like '\\_\\_pgboss\\_\\_%'`

/** Queues with jobs that wait, run or have failed; those with the oldest first. */
export async function listQueues({ db }: StoreContext): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    select name, sum(waiting)::int as waiting, sum(running)::int as running, sum(failed)::int as failed, min(oldest) as "oldestAt"
    from (
      select name, count(*) as waiting, 0 as running, 0 as failed, min(start_after) as oldest from jobs.job
      where state < 'active' and not blocked and start_after <= now() group by name
      union all
      select name, 0, count(*) filter (where state = 'active'), count(*) filter (where state = 'failed'), null from jobs.job
      where state in ('active', 'failed') group by name
    ) part
    where ${isOurs} group by name order by "oldestAt" nulls last, name`.execute(db)
  return rows
}

/** The latest that failed, those first that are not tried again. */
export async function listFailing({ db }: StoreContext, limit: number): Promise<FailingJob[]> {
  const { rows } = await sql<Omit<FailingJob, 'cause'> & KeptFailure>`
    select id, name as queue, retry_count + 1 as attempts, coalesce(completed_on, started_on) as "failedAt",
      case when state = 'retry' then start_after end as "nextAt",
      output ->> 'name' as name, output ->> 'code' as code, output ->> 'kind' as kind, output #>> '{value,message}' as message
    from jobs.job where state in ('retry', 'failed') and output is not null and ${isOurs}
    order by state desc, coalesce(completed_on, started_on) desc nulls last, id limit ${limit}::int`.execute(db)
  return rows.map(({ name, code, kind, message, ...job }) => ({
    ...job,
    cause: causeOf({ name, code, kind, message }),
  }))
}

/**
 * Queues a failed job again, for one more attempt at once: what pg-boss does on `retry`, on the caller's transaction.
 * @returns false where there is no such job, or it has not failed
 */
export async function retryFailed({ db }: StoreContext, queue: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update jobs.job set state = 'retry', retry_limit = retry_limit + 1, completed_on = null, start_after = now()
    where name = ${queue} and id::text = ${id} and state = 'failed' and ${isOurs}`.execute(db)
  return numAffectedRows === 1n
}
