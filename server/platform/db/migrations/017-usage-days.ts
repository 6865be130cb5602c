// Usage of past days in sums of the whole installation, made by a job: by organization, by model, and of the windows
// that overviews look back on.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const SUMS = `
      messages bigint not null,
      tokens bigint not null,
      cost_micro_usd bigint not null,
      unpriced_calls bigint not null`

/** Makes the tables. Events come in the order of their time: the smallest of indexes finds those of a day. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table usage_days (
      day date not null,
      organization_id text not null references organizations(id) on delete cascade,${SUMS},
      primary key (day, organization_id)
    )`,
    `create index usage_days_organization on usage_days (organization_id)`,
    `create table model_days (
      day date not null,
      model text not null,
      calls bigint not null,${SUMS},
      primary key (day, model)
    )`,
    `create table usage_windows (
      days integer not null,
      organization_id text not null references organizations(id) on delete cascade,
      until date not null,${SUMS},
      primary key (days, organization_id)
    )`,
    `create index usage_windows_organization on usage_windows (organization_id)`,
    `create index usage_events_moment on usage_events using brin (occurred_at) with (pages_per_range = 32)`,
  ])
}
