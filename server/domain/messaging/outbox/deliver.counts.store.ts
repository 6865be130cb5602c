// SQL of how much capped connections have sent. Counted in the transaction that begins a send, so that all servers together never begin
// more than there is room for; uncounted when a send has definitely not left.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Caps, SentCounts } from '#shared/channels/caps.ts'
import { NO_CAPS } from '#shared/channels/caps.ts'
import type { Id } from '#shared/ids.ts'

/** A send that was counted. `at`: by the clock of the database, milliseconds. */
export type Counted = { connectionId: Id<'channelConnections'>; at: number }

/** A capped connection whose counts are locked until the transaction ends. */
export type HeldCounts = { connectionId: Id<'channelConnections'>; caps: Caps; counts: SentCounts; now: number }

/** Locks the counts of these connections, in the order of their ids, and reads them afterwards. */
export async function holdCounts(ctx: StoreContext, ids: string[]): Promise<HeldCounts[]> {
  // Without a row to lock nothing could be counted, and nothing would ever be sent.
  await sql`
    insert into sent_counts (organization_id, connection_id)
    select organization_id, id from channel_connections where id = any (${ids}::text[])
    order by id on conflict do nothing`.execute(ctx.db)
  await lockCounts(ctx, ids)
  const result = await sql<{ connectionId: Id<'channelConnections'>; caps: Caps | null; now: number } & SentCounts>`
    select s.connection_id as "connectionId", c.caps, ${millis(sql`clock_timestamp()`)} as now,
      ${millis(sql`s.hour_from`)} as "hourFrom", s.in_hour as "inHour",
      ${millis(sql`s.day_from`)} as "dayFrom", s.in_day as "inDay", ${millis(sql`s.last_at`)} as "lastAt"
    from sent_counts s join channel_connections c on c.id = s.connection_id
    where s.connection_id = any (${ids}::text[])`.execute(ctx.db)
  return result.rows.map(({ connectionId, caps, now, ...counts }) => ({
    connectionId,
    caps: { ...NO_CAPS, ...caps },
    counts,
    now,
  }))
}

/** Locks the counts of one connection until the transaction ends, creating them where there are none. */
export async function holdOwnCounts(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await sql`
    insert into sent_counts (organization_id, connection_id) values (${ctx.organizationId}, ${id})
    on conflict (connection_id) do update set connection_id = excluded.connection_id`.execute(ctx.db)
}

/** Writes the counts of a locked connection. */
export async function saveCounts(
  ctx: StoreContext,
  connectionId: Id<'channelConnections'>,
  counts: SentCounts,
): Promise<void> {
  const at = (value: number | null) => sql`${value === null ? null : new Date(value)}::timestamptz`
  await sql`
    update sent_counts set hour_from = ${at(counts.hourFrom)}, in_hour = ${counts.inHour}::int,
      day_from = ${at(counts.dayFrom)}, in_day = ${counts.inDay}::int, last_at = ${at(counts.lastAt)}
    where connection_id = ${connectionId}`.execute(ctx.db)
}

/** Subtracts sends that have definitely not left from the hours and days in which they were counted. */
export async function uncount(ctx: StoreContext, counted: Counted[]): Promise<void> {
  if (counted.length === 0) return
  const ids = counted.map(({ connectionId }) => connectionId)
  await lockCounts(ctx, ids)
  await sql`
    update sent_counts s set in_hour = greatest(0, s.in_hour - taken.hour), in_day = greatest(0, s.in_day - taken.day)
    from (
      select c.connection_id, count(*) filter (where c.at >= ${millis(sql`n.hour_from`)})::int as hour,
        count(*) filter (where c.at >= ${millis(sql`n.day_from`)})::int as day
      from unnest(${ids}::text[], ${counted.map(({ at }) => at)}::float8[]) as c (connection_id, at)
      join sent_counts n on n.connection_id = c.connection_id group by c.connection_id
    ) taken
    where s.connection_id = taken.connection_id`.execute(ctx.db)
}

async function lockCounts(ctx: StoreContext, ids: string[]): Promise<void> {
  await sql`
    select connection_id from sent_counts where connection_id = any (${ids}::text[])
    order by connection_id for update`.execute(ctx.db)
}

/** Whole milliseconds, as they are written. */
function millis(instant: ReturnType<typeof sql>) {
  return sql<number>`floor(1000 * extract(epoch from ${instant}))::float8`
}
