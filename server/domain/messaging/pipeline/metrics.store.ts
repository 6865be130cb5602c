// SQL of what waits to be sent and what has not arrived, over all organizations.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { SendPermit } from '../outbox/deliver.store.ts'

/** Parts of one channel in one state. */
export type StoredParts = { channel: SendPermit['channel']; state: 'waiting' | 'failed' | 'unknown'; parts: number }

/** The present counts. Parts behind a pause or a broken part will not be sent, and are no failure. */
export async function countParts(ctx: StoreContext): Promise<StoredParts[]> {
  const result = await sql<StoredParts>`
    select c.channel, p.state, sum(p.parts)::int as parts from (
      select connection_id, 'waiting' as state, count(*) as parts from outbox
      where status in ('queued', 'claimed', 'sending') group by connection_id
      union all
      select connection_id, status, count(*) from outbox
      where status in ('failed', 'unknown') and (error is null or error not in ('paused', 'earlier_part', 'connection_off', 'rating_taken_back'))
      group by connection_id, status
    ) p join channel_connections c on c.id = p.connection_id
    group by c.channel, p.state`.execute(ctx.db)
  return result.rows
}
