// SQL of how much a connection may send, and what it has sent. Counting is in domain/messaging/outbox/deliver.counts.store.ts.

import { sql } from 'kysely'
import { holdOwnCounts } from '#server/domain/messaging/outbox/deliver.counts.store.ts'
import { releaseCapped } from '#server/domain/messaging/outbox/outbox.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { CAP_REASONS, type Caps, type EnteredCaps, hasCaps, NO_CAPS, type Sending } from '#shared/channels/caps.ts'
import type { Id } from '#shared/ids.ts'

/** How much a connection of the organization sends, and how much is queued. */
export async function readSending(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<Sending> {
  const { caps } = await ctx.db
    .selectFrom('channel_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select('caps')
    .executeTakeFirstOrThrow()
  const counts = await ctx.db
    .selectFrom('sent_counts')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', id)
    .selectAll()
    .executeTakeFirst()
  return {
    caps: { ...NO_CAPS, ...caps },
    counts: {
      hourFrom: counts?.hour_from?.getTime() ?? null,
      inHour: counts?.in_hour ?? 0,
      dayFrom: counts?.day_from?.getTime() ?? null,
      inDay: counts?.in_day ?? 0,
      lastAt: counts?.last_at?.getTime() ?? null,
    },
    ...(await readWaiting(ctx, id)),
  }
}

async function readWaiting(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
): Promise<Pick<Sending, 'waiting' | 'nextAt'>> {
  const parts = ctx.db
    .selectFrom('outbox')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', id)
  const { count } = await parts
    .where('status', 'in', ['queued', 'claimed'])
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  const first = await parts
    .where('status', '=', 'queued')
    .where('error', 'in', CAP_REASONS)
    .where(sql<boolean>`not_before < 'infinity'`)
    .select((row) => row.fn.min('not_before').as('at'))
    .executeTakeFirst()
  return { waiting: Number(count), nextAt: first?.at?.getTime() ?? null }
}

/**
 * Changes the caps that a person has set. A warm-up begins on the day it is chosen, and continues when it is chosen again. Parts that
 * waited for the previous caps become due, and the new ones apply to them.
 */
export async function saveCaps(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  entered: EnteredCaps,
  now: number,
): Promise<void> {
  await change(ctx, id, (caps) => {
    const warmUpSince = entered.warmUp === 'off' ? null : (caps.warmUpSince ?? now)
    return { ...caps, ...entered, warmUpSince }
  })
}

/** Sets the minimum time between two messages of a connection, milliseconds; null: its provider spaces them. */
export async function saveSpacing(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  spacingMs: number | null,
): Promise<void> {
  await change(ctx, id, (caps) => ({ ...caps, spacingMs }))
}

/** Locks the connection, its counts and its parts, in the same order as sends do. */
async function change(ctx: OrgStoreContext, id: Id<'channelConnections'>, make: (caps: Caps) => Caps): Promise<void> {
  const connection = await ctx.db
    .selectFrom('channel_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .select('caps')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!connection) return
  const caps = make({ ...NO_CAPS, ...connection.caps })
  await ctx.db
    .updateTable('channel_connections')
    .set({ caps: hasCaps(caps) ? JSON.stringify(caps) : null })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
  await holdOwnCounts(ctx, id)
  await releaseCapped(ctx, id)
}
