// A person has answered the customer in the provider's own application: the agent is silent from then on.
import { type Handler, KEPT } from '../handler.ts'
import { holdHome } from '../home.store.ts'
import { storeHumanReply } from '../receive.past-us.store.ts'
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
    const homeId = await holdHome(store, connection, placed.chatId)
    await storeHumanReply(store, { connectionId: connection.id, inbound: placed, payload, homeId })
  })
  return KEPT
}
