// SQL of the business accounts on whose behalf a connected account answers: when one of them connects it again, their chats get another id,
// and their conversations move along.
import { setBusinesses } from '#server/domain/channels/connections/connection-settings.store.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { moveChatsEnding } from '../conversations/writes/chat-moves.store.ts'
import { keepNotification } from '../inbound-events/notifications.store.ts'
import { moveChatsOfParts } from '../outbox/outbox.store.ts'
import { withBusiness } from './receive.business.rules.ts'

/** No effect for a duplicate. A conversation begun under the new id before this notification stays in addition to the former one. */
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

/** Also moves sent and unsent parts: presses and quotes are matched by their chat id, and parts may be sent again. */
async function moveChats(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await moveChatsEnding(ctx, connectionId, { from, to })
  await moveChatsOfParts(ctx, connectionId, { from, to })
}
