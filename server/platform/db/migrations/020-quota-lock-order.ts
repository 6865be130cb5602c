// Reservations are released when a transaction commits, not in its middle: only then does every transaction lock periods in the same
// order. One that ended a turn held the agent's day already when it came to count the answer, for which it needs the month first; one
// that reserved at that moment held the month and waited for the day, and both stood until PostgreSQL broke one of them off.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const drop = ['drop trigger release_quotas_of_ended on turns', 'drop trigger release_quotas_of_deleted on turns']

const defer = [
  `create constraint trigger release_quotas_of_ended after update of status on turns deferrable initially deferred for each row
    when (old.status in ('pending', 'running') and new.status not in ('pending', 'running')
      and (old.reserved_period is not null or old.reserved_day is not null))
    execute function release_quotas()`,
  `create constraint trigger release_quotas_of_deleted after delete on turns deferrable initially deferred for each row
    when (old.status in ('pending', 'running') and (old.reserved_period is not null or old.reserved_day is not null))
    execute function release_quotas()`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...drop, ...defer])
}
