// SQL of notifications that were put aside and are to be taken in again, by a version that may understand them. Requested by an administrator,
// done by the process that polls:
//
// 1. `requestReplay` marks the notification;
// 2. `beginReplay` takes the mark and the key off, so that the notification is no copy of itself, and is never tried twice by one request;
// 3. it is received like any other;
// 4. `endReplay` removes what was put aside. If it was not understood again, it has meanwhile been put aside under its own key.
//
// After a crash between 2 and 4 it is still put aside; what was received of it is known by its key, and is not received twice.
import { type RawBuilder, sql } from 'kysely'
import { uncountQuarantined } from '#server/domain/channels/health/quarantine.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** A notification that is to be taken in again. */
export type RequestedReplay = {
  id: string
  organizationId: Id<'organizations'>
  connectionId: Id<'channelConnections'>
}

/** Whether a notification `i` can be taken in again: it still has its content, and its connection `c` is live. */
export const isReplayable = sql<boolean>`(i.status = 'quarantined' and i.payload <> '{}'::jsonb and c.disconnected_at is null)`

/** Requests one; again changes nothing. Undefined: there is no such notification, or it cannot be taken in. */
export async function requestReplay(ctx: StoreContext, id: string, now: Date): Promise<RequestedReplay | undefined> {
  const [request] = await requestAll(ctx, sql`i.id = ${id}`, now)
  return request
}

/** Requests all of a connection. @returns them */
export function requestReplays(
  ctx: StoreContext,
  connectionId: Id<'channelConnections'>,
  now: Date,
): Promise<RequestedReplay[]> {
  return requestAll(ctx, sql`i.connection_id = ${connectionId}`, now)
}

async function requestAll(ctx: StoreContext, which: RawBuilder<unknown>, now: Date): Promise<RequestedReplay[]> {
  const { rows } = await sql<RequestedReplay>`
    update inbound_events i set replay_requested_at = coalesce(i.replay_requested_at, ${now})
    from channel_connections c where c.id = i.connection_id and ${which} and ${isReplayable}
    returning i.id, i.organization_id as "organizationId", i.connection_id as "connectionId"`.execute(ctx.db)
  return rows
}

/** Those requested, over all organizations, in the order in which they came in. */
export async function listReplays(ctx: StoreContext, limit: number): Promise<RequestedReplay[]> {
  const { rows } = await sql<RequestedReplay>`
    select id, organization_id as "organizationId", connection_id as "connectionId" from inbound_events
    where replay_requested_at is not null order by received_at, id limit ${limit}::int`.execute(ctx.db)
  return rows
}

/** Begins one. @returns its content; undefined: it is not requested any more, or its content was removed */
export async function beginReplay(ctx: OrgStoreContext, id: string): Promise<unknown> {
  const { rows } = await sql<{ payload: unknown }>`
    update inbound_events set replay_requested_at = null, external_key = 'replay:' || id
    where organization_id = ${ctx.organizationId} and id = ${id} and replay_requested_at is not null and status = 'quarantined'
    returning nullif(payload, '{}'::jsonb) as payload`.execute(ctx.db)
  return rows[0]?.payload ?? undefined
}

/** Removes what has been taken in, and counts one less at its connection. */
export async function endReplay(ctx: OrgStoreContext, { id, connectionId }: RequestedReplay): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('inbound_events')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'quarantined')
    .executeTakeFirst()
  if (numDeletedRows > 0n) await uncountQuarantined(ctx, connectionId)
}
