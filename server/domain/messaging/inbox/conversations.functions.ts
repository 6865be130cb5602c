// The inbox: conversations with customers, and taking them over.
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { TAGS_SUGGESTED } from '#shared/limits.ts'
import {
  conversationInput,
  conversationMessagesInput,
  foundConversationsInput,
  listConversationsInput,
  matchingInput,
  neighboursInput,
  pauseConversationInput,
  replyInput,
  resendInput,
  searchConversationsInput,
  turnInput,
} from '#shared/messaging/conversations.ts'
import { explainMessageInput } from '#shared/messaging/explanations.ts'
import { noArgs } from '#shared/schema.ts'
import * as state from '../conversations/conversation-state.store.ts'
import * as rules from '../conversations/conversations.rules.ts'
import { listTagsInUse } from '../conversations/tags.store.ts'
import { answerWith, listThreadIds, withThreads } from '../conversations/threads.store.ts'
import { lockThread } from '../conversations/threads.ts'
import { noteOperatorTyping } from '../conversations/writes/typing.store.ts'
import { explainMessage as explain } from '../explanations/explanations.store.ts'
import { getTrace } from '../explanations/traces.store.ts'
import { readTicket } from '../files/uploads.rules.ts'
import { useUploads } from '../files/uploads.store.ts'
import { getQueue } from '../handoff/queue.store.ts'
import { takeOver } from '../handoff/takeover.ts'
import { getPartConversation, requeue, sendByConversationConnection } from '../outbox/outbox.store.ts'
import * as store from './conversations.store.ts'
import {
  countMatching,
  countUnread,
  listConversations,
  listMatching,
  listNeighbours,
  listThese,
} from './inbox.store.ts'
import { listMessages } from './messages.store.ts'
import { sendReply } from './reply.ts'
import { findByWords } from './search.ts'
import { endByHand, pauseByHand, resumeByHand } from './status.ts'

/** Conversations that pass a filter, in its order. */
export const list = orgQuery({
  args: listConversationsInput,
  handler: (ctx, { paginationOpts, ...filter }) => listConversations(ctx, filter, paginationOpts),
})

/** Ids of the conversations that pass a filter, in its order, as many as can be changed at once; live. */
export const matching = orgQuery({ args: matchingInput, handler: (ctx, filter) => listMatching(ctx, filter) })

/** How many conversations pass a filter: what `list` would show page after page, each thread in as many rows as it has conversations; live. */
export const count = orgQuery({ args: matchingInput, handler: (ctx, filter) => countMatching(ctx, filter) })

/** How many conversations of the inbox are unread. */
export const unread = orgQuery({ args: noArgs, handler: (ctx) => countUnread(ctx) })

/** Customers who wait for an operator to be free, the longest wait first; live. */
export const queue = orgQuery({ args: noArgs, handler: (ctx) => getQueue(ctx) })

/** Conversations that pass a filter by words of their messages and by the beginnings of customers' names (see search.ts). */
export const search = orgAction({
  args: searchConversationsInput,
  handler: (ctx, { query, cursor = null, ...filter }) =>
    findByWords(ctx.services.database, ctx.organizationId, query, { cursor, ...filter }),
})

/** Of conversations that were found, those that pass a filter, in its order; live. */
export const found = orgQuery({
  args: foundConversationsInput,
  handler: (ctx, { conversationIds, ...filter }) => listThese(ctx, conversationIds, filter),
})

/** One conversation. Its totals are a function of their own, since they read all its messages. @throws not_found */
export const get = orgQuery({
  args: conversationInput,
  handler: (ctx, { conversationId }) => store.getConversation(ctx, conversationId),
})

/** The conversations before and after one in a list; one that has left the list counts as if it were there. @throws not_found */
export const neighbours = orgQuery({
  args: neighboursInput,
  handler: (ctx, { conversationId, ...filter }) => listNeighbours(ctx, conversationId, filter),
})

/** Messages of a conversation and of its thread, newest first or around one of them, with the state of everything that was sent. */
export const messages = orgQuery({
  args: conversationMessagesInput,
  handler: async (ctx, { conversationId, paginationOpts, around }) => {
    await store.getConversation(ctx, conversationId)
    return listMessages(ctx, await listThreadIds(ctx, conversationId), paginationOpts, around)
  },
})

/** The trace of a turn: why the agent answered as it did, or not. Null while the turn runs. @throws not_found */
export const why = orgQuery({
  args: turnInput,
  handler: (ctx, { turnId }) => getTrace(ctx, turnId, null),
})

/** Why a message was answered or not: the turns that concern it, and how it stands. @throws not_found */
export const explainMessage = orgQuery({
  args: explainMessageInput,
  handler: (ctx, { messageId }) => explain(ctx, messageId, null),
})

/**
 * An operator answers the customer; the agent is silent from then on, unless the text contains a phrase that resumes it.
 * @throws connection_disconnected when the channel is gone; message_empty, upload_expired, channel_sends_no_files,
 * channel_sends_pictures_only
 */
export const reply = orgMutation({
  args: replyInput,
  handler: async (ctx, { conversationId, text, attachments }) => {
    const owner = { organizationId: ctx.organizationId, userId: ctx.caller.userId }
    const uploads = attachments.map((ticket) => readTicket(ctx.secrets, owner, ticket, ctx.now))
    const { conversation, others } = await lockThread(ctx, conversationId)
    rules.assertNotDeleted(conversation.folder)
    rules.assertReachable(conversation)
    rules.assertSendable(conversation.channel, { text, files: uploads })
    const words = { text, reason: 'operator_reply', by: owner.userId } as const
    await takeOver(ctx, [conversation, ...others], words)
    const messageId = await sendReply(ctx, conversation, { userId: owner.userId, text, uploads })
    await useUploads(ctx, uploads, { usedIn: 'message', by: messageId })
    await answerWith(
      ctx,
      messageId,
      others.map(({ id }) => id),
    )
    return { messageId }
  },
})

/** Silences the agent, at once or for a time; also a reply that is being written. */
export const pause = orgMutation({
  args: pauseConversationInput,
  handler: async (ctx, { conversationId, resumeAfterMs }) => {
    const { conversation, others } = await lockThread(ctx, conversationId)
    rules.assertNotDeleted(conversation.folder)
    const open = others.filter(({ status }) => status !== 'ended')
    await pauseByHand(ctx, [conversation, ...open], { by: ctx.caller.userId, resumeAfterMs })
    return null
  },
})

/** Resumes the agent; a customer who waits for an answer gets one. Safe to repeat. */
export const resume = orgMutation({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    const { conversation, others } = await lockThread(ctx, conversationId)
    rules.assertNotDeleted(conversation.folder)
    await resumeByHand(ctx, [conversation, ...others.filter(({ status }) => status === 'paused')])
    return null
  },
})

/** Ends a conversation; the next message of the customer makes it active again. */
export const end = orgMutation({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    const { conversation, others } = await lockThread(ctx, conversationId)
    await endByHand(ctx, [conversation, ...others])
    return null
  },
})

/** An operator is typing: visitors of a web chat see it for some seconds. */
export const typing = orgMutation({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    await noteOperatorTyping(ctx, conversationId)
    return null
  },
})

/** Tags in use on conversations, the most used first. */
export const tags = orgQuery({
  args: noArgs,
  handler: (ctx) => listTagsInUse(ctx, TAGS_SUGGESTED),
})

/** An operator has seen the conversation. */
export const markRead = orgMutation({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    const ids = await withThreads(ctx, [conversationId])
    if (ids.length > 0) await state.markRead(ctx, ids)
    return null
  },
})

/** Resends a part that failed or whose outcome is unknown. A customer may then get it twice. Safe to repeat while it is on its way. */
export const resend = orgMutation({
  args: resendInput,
  handler: async (ctx, { outboxId }) => {
    const conversation = await state.lockConversation(ctx, await getPartConversation(ctx, outboxId))
    rules.assertNotDeleted(conversation.folder)
    rules.assertReachable(conversation)
    await requeue(ctx, outboxId)
    await sendByConversationConnection(ctx, outboxId)
    return null
  },
})
