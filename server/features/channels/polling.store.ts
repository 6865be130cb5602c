// SQL of connections that are asked: which ones, and from which place.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { SECRETS, type StoredConnection } from './connections.store.ts'

/**
 * `hasGap`: what its provider did not keep of the time before has not all been taken. `isLeft`: whoever was making it is gone, before it was
 * written down as connected.
 */
export type PollingConnection = StoredConnection & { pollOffset: number | null; hasGap: boolean; isLeft: boolean }

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
    .select([...SECRETS, 'poll_offset as pollOffset'])
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
