// The test chat: an agent tried out by its makers. The same steps as for a customer, with this page as the channel; nothing
// said here reaches a messenger or the inbox.
import { getAgent } from '#server/features/agents/agents.store.ts'
import { appendMessage, listNewestMessages } from '#server/features/conversations/messages.store.ts'
import { getTrace } from '#server/features/conversations/traces.store.ts'
import { requestTurn, stopTurns } from '#server/features/conversations/turns.store.ts'
import { assertSpace } from '#server/features/knowledge/spaces.store.ts'
import type { UserMutationContext, UserQueryContext } from '#server/functions/context.ts'
import { userMutation, userQuery } from '#server/functions/define.ts'
import { type Message, turnInput } from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  type TestOverrides,
  type TestVariant,
  testChatEditInput,
  testChatInput,
  testChatRegenerateInput,
  testChatSendInput,
} from '#shared/test-chat.ts'
import * as store from './test-chat.store.ts'

/** Messages that a test chat shows. */
const SHOWN = 300

/** Asks the agent. The answer arrives in `messages` while it is written. @throws not_found */
export const send = userMutation({
  args: testChatSendInput,
  handler: async (ctx, { text, overrides, ...chat }) => {
    const { org, conversationId } = await openChat(ctx, chat, overrides)
    const messageId = await ask(ctx, conversationId, text)
    await requestTurn(org, conversationId, overrides)
    return { messageId }
  },
})

/** Asks the last question again: its answer leaves the chat, and the agent's memory. @throws not_found, nothing_to_regenerate */
export const regenerate = userMutation({
  args: testChatRegenerateInput,
  handler: async (ctx, { overrides, ...chat }) => {
    const { org, conversationId } = await openChat(ctx, chat, overrides)
    const question = await store.findLastQuestion(org, conversationId)
    if (question === undefined) throw new AppError('nothing_to_regenerate')
    await stopTurns(org, conversationId, ctx.now)
    await store.rewind(org, conversationId, question)
    await requestTurn(org, conversationId, overrides)
    return null
  },
})

/** Asks something else instead of one of the caller's messages: it leaves the chat with all that followed. @throws not_found */
export const edit = userMutation({
  args: testChatEditInput,
  handler: async (ctx, { messageId, text, overrides, ...chat }) => {
    const { org, conversationId } = await openChat(ctx, chat, overrides)
    const question = await store.getQuestion(org, conversationId, messageId)
    await stopTurns(org, conversationId, ctx.now)
    await store.rewind(org, conversationId, question - 1)
    const newMessageId = await ask(ctx, conversationId, text)
    await requestTurn(org, conversationId, overrides)
    return { messageId: newMessageId }
  },
})

/** The caller's own test chat with an agent, oldest message first. */
export const messages = userQuery({
  args: testChatInput,
  handler: async (ctx, { agentId, variant }): Promise<Message[]> => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    const conversationId = await store.findChat(org, { agentId, variant, userId: ctx.caller.userId })
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
  handler: async (ctx, { agentId, variant }) => {
    const org = inOrganization(ctx)
    const conversationId = await store.findChat(org, { agentId, variant, userId: ctx.caller.userId })
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
  handler: async (ctx, { agentId, variant }) => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    await store.removeChat(org, { agentId, variant, userId: ctx.caller.userId })
    return null
  },
})

/** The caller's chat, held until the transaction ends, with an agent and knowledge that both exist. */
async function openChat(
  ctx: UserMutationContext,
  { agentId, variant }: { agentId: Id<'agents'>; variant: TestVariant },
  overrides: TestOverrides | undefined,
) {
  const org = inOrganization(ctx)
  await getAgent(org, agentId)
  for (const spaceId of overrides?.knowledge?.spaceIds ?? []) await assertSpace(org, spaceId)
  return { org, conversationId: await store.openChat(org, { agentId, variant, userId: ctx.caller.userId }) }
}

function ask(ctx: UserMutationContext, conversationId: Id<'conversations'>, text: string): Promise<Id<'messages'>> {
  const { userId } = ctx.caller
  return appendMessage(inOrganization(ctx), { conversationId, author: 'customer', userId, text, isAnswered: false })
}

/** @throws organization_required */
function inOrganization({ db, caller }: Pick<UserMutationContext | UserQueryContext, 'db' | 'caller'>) {
  const { organizationId } = caller
  if (!organizationId) throw new AppError('organization_required')
  return { db, organizationId }
}
