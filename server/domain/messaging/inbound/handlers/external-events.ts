// What happens at the provider without a message: receipts, the state of the account, chats that move, businesses that connect.
import { type Handler, KEPT } from '../handler.ts'
import { storeBusiness } from '../receive.business.store.ts'
import { storeAccountState, storeReceipt } from '../receive.external-events.store.ts'
import { storeChatMoved } from '../receive.moved.store.ts'

/** A part was delivered, read or lost. */
export const receiveReceipt: Handler<'receipt'> = async (ctx, { id, organizationId }, { inbound, payload }) => {
  await ctx.organization(organizationId, (store) => storeReceipt(store, { connectionId: id, inbound, payload }))
  return KEPT
}

/** The account of the connection works from now on, or does not. */
export const receiveAccountState: Handler<'accountState'> = async (
  ctx,
  { id, organizationId },
  { inbound, payload },
) => {
  await ctx.organization(organizationId, (store) => storeAccountState(store, { connectionId: id, inbound, payload }))
  return KEPT
}

/** A chat goes by another id from now on. */
export const receiveChatMoved: Handler<'chatMoved'> = async (ctx, { id, organizationId }, { inbound, payload }) => {
  await ctx.organization(organizationId, (store) => storeChatMoved(store, id, { inbound, payload }))
  return KEPT
}

/** A business account was connected to the bot, changed or taken off. */
export const receiveBusiness: Handler<'business'> = async (ctx, { id, organizationId }, { inbound, payload }) => {
  await ctx.organization(organizationId, (store) => storeBusiness(store, id, { inbound, payload }))
  return KEPT
}
