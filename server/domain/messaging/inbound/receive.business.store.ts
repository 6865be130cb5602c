// SQL of the people in whose names an account answers: when one of them connects it again, their chats go by another id, and so do conversations.
import { setBusinesses } from '#server/domain/channels/connections/connection-settings.store.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { moveChatsEnding } from '../conversations/writes/chat-moves.store.ts'
import { moveChatsOfParts } from '../delivery/outbox.store.ts'
import { keepNotification } from './notifications.store.ts'
import { withBusiness } from './receive.business.rules.ts'

/** Without effect for a copy. A conversation that was begun by the new id before this was told stays beside the former one. */
export async function storeBusiness(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  { inbound, payload }: { inbound: Extract<Inbound, { kind: 'business' }>; payload: unknown },
): Promise<void> {
  const { externalKey, business } = inbound
  if (!(await keepNotification(ctx, connectionId, { externalKey, status: 'ignored', payload }))) return
  const connection = await ctx.db
    .selectFrom('channel_connections')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', connectionId)
    .select('businesses')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!connection) return
  const { businesses, goneLinkId } = withBusiness(connection.businesses, business)
  await setBusinesses(ctx, connectionId, businesses)
  if (goneLinkId !== null) await moveChats(ctx, connectionId, { from: `@${goneLinkId}`, to: `@${business.linkId}` })
}

/** Also what was said there and what waits to be: by its id presses and quotes are known, and it may be sent again. */
async function moveChats(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await moveChatsEnding(ctx, connectionId, { from, to })
  await moveChatsOfParts(ctx, connectionId, { from, to })
}
