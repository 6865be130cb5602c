// SQL of a chat that changes its id: its conversation continues under the new id, still paused if an operator took it over.
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { moveChat } from '../conversations/writes/chat-moves.store.ts'
import { moveCustomer } from '../customers/customer-changes.store.ts'
import { keepNotification } from '../inbound-events/notifications.store.ts'

/** No effect for a duplicate, and when a conversation exists under the new id already: both conversations stay. */
export async function storeChatMoved(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  { inbound, payload }: { inbound: Extract<Inbound, { kind: 'chatMoved' }>; payload: unknown },
): Promise<void> {
  const { externalKey, chatId, toChatId } = inbound
  if (!(await keepNotification(ctx, connectionId, { externalKey, status: 'ignored', payload }))) return
  await moveCustomer(ctx, connectionId, { from: chatId, to: toChatId })
  await moveChat(ctx, connectionId, { from: chatId, to: toChatId })
}
