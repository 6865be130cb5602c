// The inbox: conversations with customers, and taking them over.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import {
  conversationInput,
  conversationMessagesInput,
  listConversationsInput,
  pauseConversationInput,
  replyInput,
  resendInput,
  turnInput,
} from '#shared/conversations.ts'
import * as rules from './conversations.rules.ts'
import * as store from './conversations.store.ts'
import { listMessages } from './messages.store.ts'
import { requeue, withholdAgentParts } from './outbox.store.ts'
import { sendReply } from './reply.ts'
import { takeOver } from './takeover.ts'
import { getTrace } from './traces.store.ts'
import { requestTurn } from './turns.store.ts'
import { noteOperatorTyping } from './typing.store.ts'
import { readTicket } from './uploads.rules.ts'

/** Conversations, the one with the newest message first. */
export const list = orgQuery({
  args: listConversationsInput,
  handler: (ctx, { paginationOpts, ...filter }) => store.listConversations(ctx, filter, paginationOpts),
})

export const get = orgQuery({
  args: conversationInput,
  handler: (ctx, { conversationId }) => store.getConversation(ctx, conversationId),
})

/** Messages, newest first, with the state of everything that was sent. */
export const messages = orgQuery({
  args: conversationMessagesInput,
  handler: async (ctx, { conversationId, paginationOpts }) => {
    await store.getConversation(ctx, conversationId)
    return listMessages(ctx, conversationId, paginationOpts)
  },
})

/** What a turn went through: why the agent answered as it did, or not. Null while it is not over. @throws not_found */
export const why = orgQuery({
  args: turnInput,
  handler: (ctx, { turnId }) => getTrace(ctx, turnId, null),
})

/**
 * An operator answers the customer; the agent is silent from then on, unless the words hold a phrase that lets it speak again.
 * @throws connection_disconnected when the channel is gone; message_empty, upload_expired, channel_sends_no_files
 */
export const reply = orgMutation({
  args: replyInput,
  handler: async (ctx, { conversationId, text, attachments }) => {
    const owner = { organizationId: ctx.organizationId, userId: ctx.caller.userId }
    const uploads = attachments.map((ticket) => readTicket(ctx.secrets, owner, ticket, ctx.now))
    const conversation = await store.lockConversation(ctx, conversationId)
    rules.assertReachable(conversation)
    rules.assertSendable(conversation.channel, { text, files: uploads.length })
    await takeOver(ctx, conversation, { text, reason: 'operator_reply' })
    return { messageId: await sendReply(ctx, conversation, { userId: owner.userId, text, uploads }) }
  },
})

/** Silences the agent, at once or for a time; also a reply that is being written. */
export const pause = orgMutation({
  args: pauseConversationInput,
  handler: async (ctx, { conversationId, resumeAfterMs }) => {
    const conversation = await store.lockConversation(ctx, conversationId)
    rules.assertCanPause(conversation.status)
    await store.pause(ctx, conversationId, 'operator', resumeAfterMs)
    await withholdAgentParts(ctx, conversationId)
    return null
  },
})

/** Lets the agent speak again; a customer who waits for an answer gets one. Safe to repeat. */
export const resume = orgMutation({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    const { status } = await store.lockConversation(ctx, conversationId)
    await store.setStatus(ctx, conversationId, 'active')
    const isWaiting = await store.hasOpenQuestion(ctx, conversationId)
    if (rules.owesAnswer({ status, isWaiting })) await requestTurn(ctx, conversationId)
    return null
  },
})

/** Ends a conversation; the next message of the customer makes it active again. */
export const end = orgMutation({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    await store.lockConversation(ctx, conversationId)
    await withholdAgentParts(ctx, conversationId)
    await store.setStatus(ctx, conversationId, 'ended')
    return null
  },
})

/** An operator is typing: a visitor of a web chat is shown it for some seconds. */
export const typing = orgMutation({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    await noteOperatorTyping(ctx, conversationId)
    return null
  },
})

/** An operator has seen the conversation. */
export const markRead = orgMutation({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    await store.markRead(ctx, conversationId)
    return null
  },
})

/** Sends a part again that failed or whose outcome is unknown. A customer may then get it twice. */
export const resend = orgMutation({
  args: resendInput,
  handler: async (ctx, { outboxId }) => {
    const conversationId = await requeue(ctx, outboxId)
    rules.assertReachable(await store.lockConversation(ctx, conversationId))
    return null
  },
})
