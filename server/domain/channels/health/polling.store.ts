// SQL of connections that are asked: which ones, from which place, and that they are not asked any more.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { SECRETS, type StoredConnection } from '../connections/connections.store.ts'
import { beginGap } from './missed.store.ts'

/**
 * `hasGap`: what its provider did not keep of the time before has not all been taken. `isLeft`: whoever was making it is gone, before it was
 * written down as connected. `isChosen`: a person wants it polled.
 */
export type PollingConnection = StoredConnection & {
  pollOffset: number | null
  webhookPath: string
  hasGap: boolean
  isLeft: boolean
  isChosen: boolean
}

/** Making a connection takes less. */
const MADE_WITHIN = sql.lit('2 minutes')

/**
 * Live connections that are polled and not broken, over all organizations; of the channels `beginning` once it is known from where, or nobody
 * will ever say.
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

/** Where polling begins; without effect where it has begun. */
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
 * Where polling goes on after a restart. Written only after everything before it is stored, what the provider did not keep included: nothing
 * of that is owed any more.
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

/** A live connection is delivered to from now on; without effect where a person has chosen otherwise. */
export async function beginDelivery(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  await moveDelivery(ctx, id, { delivery: 'webhook', poll_offset: null })
}

/**
 * A live connection is polled from now on; without effect where a person has chosen otherwise.
 *
 * @param offset where polling begins; null: the provider keeps what was not polled yet
 * @param hasGap what came since it was last heard has to be read in another way
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
