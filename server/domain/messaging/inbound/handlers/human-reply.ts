// A person has answered the customer in the provider's own application: the agent is silent from then on.

import { lockConversationConnection } from '../conversation-connection.store.ts'
import { type Handler, KEPT } from '../handler.ts'
import { storeHumanReply } from '../receive.external-events.store.ts'
import { resolveChat } from '../resolve.ts'
import { isEcho } from './echoes.ts'
import { receiveIgnored } from './kept.ts'

/** Stores the reply, unless it is the echo of one of ours. */
export const receiveHumanReply: Handler<'humanReply'> = async (ctx, connection, { inbound, payload }) => {
  const { externalKey } = inbound
  if (inbound.mayBeOurs && (await isEcho(ctx, connection, inbound)))
    return receiveIgnored(ctx, connection, { inbound: { kind: 'ignored', externalKey }, payload })
  await ctx.organization(connection.organizationId, async (store) => {
    const placed = await resolveChat(ctx, store, connection, inbound)
    const homeId = await lockConversationConnection(store, connection, placed.chatId)
    await storeHumanReply(store, { connectionId: connection.id, inbound: placed, payload, homeId })
  })
  return KEPT
}
