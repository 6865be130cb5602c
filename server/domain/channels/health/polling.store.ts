// SQL of connections that are polled: which ones, from which offset, and the end of polling.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { SECRETS, type StoredConnection } from '../connections/connections.store.ts'
import { beginGap } from './missed.store.ts'

/**
 * `hasGap`: messages of a time that its provider did not keep have not all been fetched yet. `isLeft`: the request that was making
 * it ended before it was recorded as connected. `isChosen`: a person has chosen polling.
 */
export type PollingConnection = StoredConnection & {
  pollOffset: number | null
  webhookPath: string
  hasGap: boolean
  isLeft: boolean
  isChosen: boolean
}

/** Longer than making a connection takes. */
const MADE_WITHIN = sql.lit('2 minutes')

/**
 * Live connections that are polled and not broken, over all organizations; those of the channels `beginning` once their first offset is
 * known, or can no longer become known.
 */
export function listPolling(ctx: StoreContext, beginning: string[]): Promise<PollingConnection[]> {
  const isBeingMade = sql<boolean>`(status = 'pending' and channel = any (${beginning}::text[]))`
  const isLeft = sql<boolean>`(${isBeingMade} and linked_at < now() - interval ${MADE_WITHIN})`
  return ctx.db
    .selectFrom('channel_connections')
    .where('delivery', '=', 'polling')
    .where(sql<boolean>`(not ${isBeingMade} or ${isLeft})`)
    .where('disconnected_at', 'is', null)
    .where('status', '<>', 'error')
    .select([...SECRETS, 'poll_offset as pollOffset', 'webhook_path as webhookPath', 'delivery_chosen as isChosen'])
    .select(sql<boolean>`gap_since is not null`.as('hasGap'))
    .select(isLeft.as('isLeft'))
    .execute()
}

/** Sets where polling begins; without effect where it has begun. */
export async function beginPolling(ctx: OrgStoreContext, id: Id<'channelConnections'>, offset: number): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({ poll_offset: offset })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('poll_offset', 'is', null)
    .execute()
}

/**
 * The offset from which polling resumes after a restart. Written only after everything before it is stored, including the gap that the
 * provider did not keep.
 */
export async function savePollOffset(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  offset: number | null,
): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({ poll_offset: offset, gap_since: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .execute()
}

/** Live connections of these channels whose webhook was not chosen by a person, over all organizations. */
export function listUnchosenWebhooks(
  ctx: StoreContext,
  channels: Exclude<Channel, 'test'>[],
): Promise<StoredConnection[]> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('delivery', '=', 'webhook')
    .where('channel', 'in', channels)
    .where('delivery_chosen', '=', false)
    .where('disconnected_at', 'is', null)
    .where('status', '<>', 'error')
    .select(SECRETS)
    .execute()
}

/** Switches a live connection to its webhook; without effect where a person has chosen otherwise. */
export async function beginDelivery(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await moveDelivery(ctx, id, { delivery: 'webhook', poll_offset: null })
}

/**
 * Starts polling a live connection; without effect where a person has chosen otherwise.
 *
 * @param offset where polling begins; null: the provider keeps what was not polled yet
 * @param hasGap messages since the last activity have to be fetched another way
 */
export async function endDelivery(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  { offset, hasGap }: { offset: number | null; hasGap: boolean },
): Promise<void> {
  await moveDelivery(ctx, id, { delivery: 'polling', poll_offset: offset })
  if (hasGap) await beginGap(ctx, id)
}

async function moveDelivery(
  ctx: OrgStoreContext,
  id: Id<'channelConnections'>,
  to: { delivery: 'webhook' | 'polling'; poll_offset: number | null },
): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set(to)
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('delivery_chosen', '=', false)
    .where('disconnected_at', 'is', null)
    .execute()
}
