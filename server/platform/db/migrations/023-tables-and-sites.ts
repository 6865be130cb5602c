// The description of a table's columns is renewed some time after its rows changed. Single pages of a site are re-read separately, and a
// site is removed in batches.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table tables add column columns_stale_at timestamptz`,
    `alter table sites add column status_before text`,
    `alter table sites drop constraint sites_status_check`,
    `alter table sites add constraint sites_status_check
      check (status in ('syncing', 'ready', 'stopped', 'error', 'removing'))`,
    `drop index sites_unfinished`,
    `create index sites_unfinished on sites(heartbeat_at) where status in ('syncing', 'removing')`,
    `alter table site_pages add column is_retry boolean not null default false`,
  ])
}
