// SQL of connections that are disconnected, or about to be: what to remove at the provider, and what to reconnect.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { StoredConnection } from './connections.store.ts'

/** What is needed to disconnect an account whose row is gone. */
export type LeftConnection = Omit<StoredConnection, 'organizationId' | 'delivery' | 'identifier'> & {
  externalAccountId: string
  /** The secret part of the delivery address; missing in jobs that were queued before it was recorded. */
  webhookPath?: string
}

/** Channels of which the organization has disconnected connections. */
export async function listLeftChannels(
  ctx: OrgStoreContext,
  agentId?: Id<'agents'>,
): Promise<Exclude<Channel, 'test'>[]> {
  let query = connections(ctx).where('disconnected_at', 'is not', null)
  if (agentId !== undefined) query = query.where('agent_id', '=', agentId)
  const rows = await query.select('channel').distinct().orderBy('channel').execute()
  return rows.map(({ channel }) => channel)
}

/** Live connections of an organization that is about to go, or of one of its agents. */
export function listLeftConnections(ctx: OrgStoreContext, agentId?: Id<'agents'>): Promise<LeftConnection[]> {
  const live = connections(ctx).where('disconnected_at', 'is', null)
  return (agentId === undefined ? live : live.where('agent_id', '=', agentId))
    .select(['id', 'channel', 'external_account_id as externalAccountId'])
    .select(['token as encryptedToken', 'webhook_secret as encryptedSecret', 'webhook_path as webhookPath'])
    .execute()
}

function connections(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('channel_connections').where('organization_id', '=', ctx.organizationId)
}
