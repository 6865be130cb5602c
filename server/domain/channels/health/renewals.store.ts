// SQL of connections whose access expires.
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { SECRETS, type StoredConnection } from '../connections/connections.store.ts'

/** Live connections of these channels that work, over all organizations. */
export function listRenewable(ctx: StoreContext, channels: Exclude<Channel, 'test'>[]): Promise<StoredConnection[]> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('channel', 'in', channels)
    .where('disconnected_at', 'is', null)
    .where('status', '<>', 'error')
    .select(SECRETS)
    .execute()
}

/** Stores a renewed token, unless a person has entered another one meanwhile. */
export async function replaceToken(
  ctx: OrgStoreContext,
  known: Pick<StoredConnection, 'id' | 'encryptedToken'>,
  renewed: { encryptedToken: string; tokenTail: string },
): Promise<void> {
  await ctx.db
    .updateTable('channel_connections')
    .set({ token: renewed.encryptedToken, token_tail: renewed.tokenTail })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', known.id)
    .where('token', '=', known.encryptedToken)
    .where('disconnected_at', 'is', null)
    .execute()
}
