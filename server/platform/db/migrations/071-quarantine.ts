// Counts a provider's notifications that were not understood, so that operators can see them.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table channel_connections add column quarantined integer not null default 0,
      add column quarantined_at timestamptz`,
    `create index inbound_quarantined on inbound(connection_id, received_at) where status = 'quarantined'`,
    `update channel_connections c set quarantined = kept.count, quarantined_at = kept.last
      from (select connection_id, count(*)::int as count, max(received_at) as last from inbound
        where status = 'quarantined' group by connection_id) kept
      where c.id = kept.connection_id`,
  ])
}
