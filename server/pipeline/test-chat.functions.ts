// The test chat: an agent tried out by its makers. The same steps as for a customer, with this page as the channel; nothing
// said here reaches a messenger or the inbox.
import { getAgent } from '#server/features/agents/agents.store.ts'
import { appendMessage, listNewestMessages } from '#server/features/conversations/messages.store.ts'
import { getTrace } from '#server/features/conversations/traces.store.ts'
import { requestTurn, stopTurns } from '#server/features/conversations/turns.store.ts'
import type { UserMutationContext, UserQueryContext } from '#server/functions/context.ts'
import { userMutation, userQuery } from '#server/functions/define.ts'
import { type Message, testChatInput, testChatSendInput, turnInput } from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'
import * as store from './test-chat.store.ts'

/** Messages that a test chat shows. */
const SHOWN = 300

/** Asks the agent. The answer arrives in `messages` while it is written. */
export const send = userMutation({
  args: testChatSendInput,
  handler: async (ctx, { agentId, text }) => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    const conversationId = await store.openChat(org, { agentId, userId: ctx.caller.userId })
    const messageId = await appendMessage(org, {
      conversationId,
      author: 'customer',
      userId: ctx.caller.userId,
      text,
      isAnswered: false,
    })
    await requestTurn(org, conversationId)
    return { messageId }
  },
})

/** The caller's own test chat with an agent, oldest message first. */
export const messages = userQuery({
  args: testChatInput,
  handler: async (ctx, { agentId }): Promise<Message[]> => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    const conversationId = await store.findChat(org, { agentId, userId: ctx.caller.userId })
    return conversationId ? listNewestMessages(org, conversationId, SHOWN) : []
  },
})

/** What a turn of the caller's own test chats went through. Null while it is not over. @throws not_found */
export const why = userQuery({
  args: turnInput,
  handler: (ctx, { turnId }) => getTrace(inOrganization(ctx), turnId, ctx.caller.userId),
})

/** Stops the answer; what was written so far stays. @throws nothing_to_stop */
export const stop = userMutation({
  args: testChatInput,
  handler: async (ctx, { agentId }) => {
    const org = inOrganization(ctx)
    const conversationId = await store.findChat(org, { agentId, userId: ctx.caller.userId })
    const stopped = conversationId ? await stopTurns(org, conversationId, ctx.now) : []
    if (!conversationId || stopped.length === 0) throw new AppError('nothing_to_stop')
    for (const turnId of stopped) await store.markStopped(org, conversationId, turnId)
    await store.markAnswered(org, conversationId)
    return null
  },
})

/** Forgets the chat. Safe to repeat. */
export const clear = userMutation({
  args: testChatInput,
  handler: async (ctx, { agentId }) => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    await store.removeChat(org, { agentId, userId: ctx.caller.userId })
    return null
  },
})

/** @throws organization_required */
function inOrganization({ db, caller }: Pick<UserMutationContext | UserQueryContext, 'db' | 'caller'>) {
  const { organizationId } = caller
  if (!organizationId) throw new AppError('organization_required')
  return { db, organizationId }
}
