// A change of a message that a customer has made: before or after the message itself has come, before or after it was answered.
import { splitForward } from '#shared/messaging/forwards.ts'
import { flushBufferOnPhrase } from '../../handoff/handoff.ts'
import { lockEdits } from '../../inbound-events/edits.store.ts'
import { lockConversationConnection } from '../conversation-connection.store.ts'
import type { Handler } from '../handler.ts'
import { storeEdit } from '../receive.edit.store.ts'
import { findNewestEdit } from '../receive.edits.ts'
import { hasAliases, resolveChat } from '../resolve.ts'
import { findConversationOfMessage } from './identities.store.ts'

/** Stores the change; a phrase that it brings in ends the wait for more. */
export const receiveEdit: Handler<'edit'> = async (ctx, connection, { inbound, payload }) => {
  const isAliased = hasAliases(ctx, connection)
  const isDue = await ctx.organization(connection.organizationId, async (store) => {
    // Before its chat is resolved: the message that it changes may be coming in, and name its customer by another id.
    if (isAliased) await lockEdits(store, connection.id, { ...inbound, isGlobalId: true })
    const placed = {
      ...(await resolveChat(ctx, store, connection, inbound)),
      ...(isAliased && { isGlobalId: true as const }),
    }
    const edited = await storeEdit(store, connection.id, {
      ...{ inbound: placed, payload },
      findNewest: (of) => findNewestEdit(ctx, of, connection, placed),
      findConnection: (of) => lockConversationConnection(of, connection, placed.chatId),
      ...(isAliased && { findConversation: (of) => findConversationOfMessage(of, connection.id, inbound) }),
    })
    const isHurried =
      edited.waiting !== null &&
      (await flushBufferOnPhrase(store, edited.waiting, splitForward(inbound.text, inbound.forwarded).own))
    return edited.isDue || isHurried
  })
  if (isDue) ctx.wake.turns()
  return { status: 'kept', isDue }
}
