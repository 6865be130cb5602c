// SQL of sends through capped connections: as many parts begin as there is room for, the rest waits for its hour.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { type CappedPart, countsAfter, type Shares, shareOut, type Wait } from './deliver.caps.rules.ts'
import { type HeldCounts, holdCounts, saveCounts } from './deliver.counts.store.ts'
import { isFirstPart, markSending, type SendPermit } from './deliver.store.ts'

type Claimed = CappedPart & { connectionId: Id<'channelConnections'> }

/**
 * Begins those of these claimed parts that the caps of their connections leave room for, and puts the others off: with no limit in time,
 * and without counting as attempts. The counts are locked from before they are read until what begins is counted, so that concurrent
 * servers take turns.
 *
 * @returns `put`: how many were put off
 */
export async function beginCapped(
  ctx: StoreContext,
  owner: number,
  ids: string[],
): Promise<{ permits: SendPermit[]; put: number }> {
  const parts = await listCapped(ctx, owner, ids)
  if (parts.length === 0) return { permits: [], put: 0 }
  const connections = [...new Set(parts.map(({ connectionId }) => connectionId))]
  const held = await holdCounts(ctx, connections)
  const own = await countOwnElsewhere(ctx, connections, ids)
  const shares = held.map((each) => {
    const ownElsewhere = own.get(each.connectionId) ?? 0
    const mine = parts.filter(({ connectionId }) => connectionId === each.connectionId)
    return { ...each, ...shareOut(mine, { ...each, ownElsewhere }) }
  })
  const begin = shares.flatMap((share) => share.begin)
  const marked = begin.length > 0 ? await markSending(ctx, owner, begin, { mayBeCapped: true }) : []
  const permits = await count(ctx, shares, marked)
  const waits = shares.flatMap(({ wait }) => wait)
  await putOff(ctx, owner, waits)
  for (const { connectionId, full } of shares) if (full) await putOffDue(ctx, connectionId, full)
  return { permits, put: waits.length }
}

async function count(ctx: StoreContext, shares: (HeldCounts & Shares)[], marked: SendPermit[]): Promise<SendPermit[]> {
  const permits: SendPermit[] = []
  for (const { connectionId, counts, now, begin } of shares) {
    const counted = { connectionId, at: now }
    const mine = marked.filter(({ id }) => begin.includes(id)).map((permit) => ({ ...permit, counted }))
    if (mine.length > 0) await saveCounts(ctx, connectionId, countsAfter(counts, mine.length, now))
    permits.push(...mine)
  }
  return permits
}

async function listCapped(ctx: StoreContext, owner: number, ids: string[]): Promise<Claimed[]> {
  const result = await sql<Claimed>`
    select o.id, o.connection_id as "connectionId", o.is_own as "isOwn", o.sequence
    from outbox o join channel_connections c on c.id = o.connection_id
    where o.id = any (${ids}::text[]) and o.owner = ${owner}::int and o.status = 'claimed'
      and c.caps is not null and c.disconnected_at is null and not c.is_frozen`.execute(ctx.db)
  return result.rows
}

/** Operators' parts that could be sent now, by connection, without these parts. */
async function countOwnElsewhere(
  ctx: StoreContext,
  connections: string[],
  ids: string[],
): Promise<Map<string, number>> {
  const result = await sql<{ id: string; waiting: number }>`
    select o.connection_id as id, count(*)::int as waiting from outbox o
    where o.connection_id = any (${connections}::text[]) and o.is_own and o.id <> all (${ids}::text[])
      and (o.status = 'claimed' or (o.status = 'queued' and o.not_before <= now()))
      and ${isFirstPart}
    group by o.connection_id`.execute(ctx.db)
  return new Map(result.rows.map(({ id, waiting }) => [id, waiting]))
}

/** A part that waits for its turn has not been tried; one that may have arrived is remembered by the provider for a time from its first attempt on. */
const FIRST_TRIED = sql`case when outbox.may_have_arrived then outbox.first_tried_at end`

async function putOff(ctx: StoreContext, owner: number, waits: Wait[]): Promise<void> {
  if (waits.length === 0) return
  await sql`
    update outbox set status = 'queued', owner = null, lease_until = null, error = w.reason, first_tried_at = ${FIRST_TRIED},
      not_before = to_timestamp(w.until / 1000), updated_at = now()
    from unnest(${waits.map(({ id }) => id)}::text[], ${waits.map(({ until }) => until)}::float8[],
      ${waits.map(({ reason }) => reason)}::text[]) as w (id, until, reason)
    where outbox.id = w.id and outbox.owner = ${owner}::int and outbox.status = 'claimed'`.execute(ctx.db)
}

/** Keeps parts that are due from being claimed only to be put off. */
async function putOffDue(
  ctx: StoreContext,
  connectionId: string,
  { until, reason }: NonNullable<Shares['full']>,
): Promise<void> {
  await sql`
    update outbox set not_before = to_timestamp(${until}::float8 / 1000), error = ${reason}, first_tried_at = ${FIRST_TRIED}, updated_at = now()
    where id in (
      select id from outbox where status = 'queued' and not_before <= now() and connection_id = ${connectionId}
      for update skip locked)`.execute(ctx.db)
}
