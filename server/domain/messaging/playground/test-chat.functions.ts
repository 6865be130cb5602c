// The test chat: an agent tried out by its makers. The same steps as for a customer, with this page as the channel; nothing
// written here reaches a messenger or the inbox.
import { getAgent } from '#server/domain/agents/agents.store.ts'
import { assertSpace } from '#server/domain/knowledge/spaces/spaces.store.ts'
import { lockConversation } from '#server/domain/messaging/conversations/lock-conversation.store.ts'
import { explainMessage as explain } from '#server/domain/messaging/explanations/explanations.store.ts'
import { getTrace } from '#server/domain/messaging/explanations/traces.store.ts'
import { removeUnusedLater } from '#server/domain/messaging/files/uploads.job.ts'
import { readTicket } from '#server/domain/messaging/files/uploads.rules.ts'
import {
  attach,
  fromUploads,
  type KeptAttachment,
  listFileKeys,
  listKept,
  readAgain,
  useUploads,
} from '#server/domain/messaging/files/uploads.store.ts'
import { takeOver } from '#server/domain/messaging/handoff/takeover.ts'
import { listMessages, listNewestMessages } from '#server/domain/messaging/inbox/messages.store.ts'
import { requestTurns, stopTurns } from '#server/domain/messaging/turns/turn-requests.store.ts'
import type { UserMutationContext, UserQueryContext } from '#server/functions/context.ts'
import { userMutation, userQuery } from '#server/functions/define.ts'
import type { Page } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { type Message, turnInput } from '#shared/messaging/conversations.ts'
import { explainMessageInput } from '#shared/messaging/explanations.ts'
import {
  type TestChatState,
  type TestOverrides,
  type TestVariant,
  testChatEditInput,
  testChatHistoryInput,
  testChatInput,
  testChatRegenerateInput,
  testChatReplyInput,
  testChatSendInput,
  testChatShareInput,
} from '#shared/messaging/test-chat.ts'
import { markStopped } from '../conversations/writes/answers.store.ts'
import { appendMessage } from '../conversations/writes/appended-message.store.ts'
import { markAnswered } from '../conversations/writes/progress.store.ts'
import * as chats from '../conversations/writes/test-chats.store.ts'
import { setStatus } from '../handoff/conversation-status.ts'
import { resumeByPhrase } from '../handoff/handoff.ts'
import { listWithOpenQuestions } from '../inbox/conversations.store.ts'
import { shareTicket } from './test-chat.links.ts'
import { withChannels } from './test-chat.shown.store.ts'
import * as store from './test-chat.store.ts'

/** How many of the newest messages of a test chat are returned at once. */
const SHOWN = 300
/** How long a shared chat can be viewed. */
const SHARED_MS = 7 * 86_400_000
/** Not journalled: the next run reads the present chat from its end. */
const NOTHING_YET: Page<Message> = { page: [], isDone: true, continueCursor: '', splitCursor: null, pageStatus: null }

/**
 * Asks the agent. The answer arrives in `messages` while it is written. An agent that has handed over stays silent, as it does for
 * customers, until it is resumed or a phrase calls it back.
 * @throws not_found, message_empty, upload_expired
 */
export const send = userMutation({
  args: testChatSendInput,
  handler: async (ctx, { text, attachments, overrides, ...chat }) => {
    const { org, held } = await openChat(ctx, chat, overrides)
    const { conversationId, pauseReason } = held
    const owner = { organizationId: org.organizationId, userId: ctx.caller.userId }
    const uploads = attachments.map((ticket) => readTicket(ctx.secrets, owner, ticket, ctx.now))
    const messageId = await ask(ctx, conversationId, { text, attachments: fromUploads(uploads) })
    await useUploads(org, uploads, { usedIn: `test ${conversationId}`, by: messageId })
    const isSilent = held.status === 'paused' && pauseReason !== null
    if (!isSilent || (await resumeByPhrase(org, { id: conversationId, pauseReason }, text))) {
      await requestTurns(org, [conversationId], overrides)
    }
    return { messageId }
  },
})

/** Answers as an operator would: the agent is silent from then on, unless the text resumes it. @throws not_found */
export const reply = userMutation({
  args: testChatReplyInput,
  handler: async (ctx, { text, ...chat }) => {
    const { org, held } = await openChat(ctx, chat, undefined)
    const { conversationId, status } = held
    const { userId } = ctx.caller
    await takeOver(org, [{ id: conversationId, status }], { text, reason: 'operator_reply', by: userId })
    const messageId = await appendMessage(org, { conversationId, author: 'operator', userId, text, isAnswered: true })
    return { messageId }
  },
})

/** Resumes the agent; a question that waits for an answer gets one. Safe to repeat. @throws not_found */
export const resume = userMutation({
  args: testChatRegenerateInput,
  handler: async (ctx, { overrides, ...chat }) => {
    const { org, held } = await openChat(ctx, chat, overrides)
    const { conversationId, status } = held
    await setStatus(org, [conversationId], 'active')
    const owesAnswer = status !== 'active' && (await listWithOpenQuestions(org, [conversationId])).length > 0
    if (owesAnswer) await requestTurns(org, [conversationId], overrides)
    return null
  },
})

/** Whether the agent is active in the caller's test chat, and why not. Null before the first message. @throws not_found */
export const state = userQuery({
  args: testChatInput,
  handler: async (ctx, { agentId, variant }): Promise<TestChatState | null> => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    return store.findState(org, { agentId, variant, userId: ctx.caller.userId })
  },
})

/** Asks the last question again: its answer is removed from the chat, and from the agent's memory. @throws not_found, nothing_to_regenerate */
export const regenerate = userMutation({
  args: testChatRegenerateInput,
  handler: async (ctx, { overrides, ...chat }) => {
    const { org, held } = await openChat(ctx, chat, overrides)
    const { conversationId } = held
    const question = await store.findLastQuestion(org, conversationId)
    if (question === undefined) throw new AppError('nothing_to_regenerate')
    await rewind(ctx, conversationId, question)
    await readAgain(org, conversationId, question)
    await requestTurns(org, [conversationId], overrides)
    return null
  },
})

/**
 * Replaces one of the caller's messages by another question, and removes all that followed it. Attachments stay.
 * @throws not_found, message_empty
 */
export const edit = userMutation({
  args: testChatEditInput,
  handler: async (ctx, { messageId, text, overrides, ...chat }) => {
    const { org, held } = await openChat(ctx, chat, overrides)
    const { conversationId } = held
    const question = await store.getQuestion(org, conversationId, messageId)
    const attachments = await listKept(org, { conversationId, messageId })
    await rewind(ctx, conversationId, question - 1)
    const newMessageId = await ask(ctx, conversationId, { text, attachments })
    await requestTurns(org, [conversationId], overrides)
    return { messageId: newMessageId }
  },
})

/**
 * A ticket by which anyone sees the caller's test chats with an agent as they are now. It ends after a week, and when they are cleared.
 * @throws not_found, nothing_to_share
 */
export const share = userMutation({
  args: testChatShareInput,
  handler: async (ctx, { agentId }) => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    const { organizationId } = org
    const chats = await store.listParts(org, { agentId, userId: ctx.caller.userId })
    if (chats.length === 0) throw new AppError('nothing_to_share')
    const at = ctx.now.getTime()
    const until = at + SHARED_MS
    return { ticket: shareTicket(ctx.secrets, { organizationId, agentId, chats, at, until }), expiresAt: until }
  },
})

/** The newest messages of the caller's own test chat with an agent, oldest first. */
export const messages = userQuery({
  args: testChatInput,
  handler: async (ctx, { agentId, variant }): Promise<Message[]> => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    const conversationId = await store.findChat(org, { agentId, variant, userId: ctx.caller.userId })
    if (!conversationId) return []
    return withChannels(org, conversationId, await listNewestMessages(org, [conversationId], SHOWN))
  },
})

/** The same, newest first and in pages, as far back as the chat reaches. */
export const history = userQuery({
  args: testChatHistoryInput,
  handler: async (ctx, { agentId, variant, paginationOpts }): Promise<Page<Message>> => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    const conversationId = await store.findChat(org, { agentId, variant, userId: ctx.caller.userId })
    if (!conversationId) return NOTHING_YET
    const reader = { ...org, ...(ctx.journal && { journal: ctx.journal }) }
    const page = await listMessages(reader, [conversationId], paginationOpts)
    return { ...page, page: await withChannels(org, conversationId, page.page) }
  },
})

/** The trace of a turn in the caller's own test chats. Null while the turn runs. @throws not_found */
export const why = userQuery({
  args: turnInput,
  handler: (ctx, { turnId }) => getTrace(inOrganization(ctx), turnId, ctx.caller.userId),
})

/** Why a message of the caller's own test chats was answered or not. @throws not_found */
export const explainMessage = userQuery({
  args: explainMessageInput,
  handler: (ctx, { messageId }) => explain(inOrganization(ctx), messageId, ctx.caller.userId),
})

/** Stops the answer; what was written so far stays. @throws nothing_to_stop */
export const stop = userMutation({
  args: testChatInput,
  handler: async (ctx, { agentId, variant }) => {
    const org = inOrganization(ctx)
    const conversationId = await store.findChat(org, { agentId, variant, userId: ctx.caller.userId })
    if (!conversationId) throw new AppError('nothing_to_stop')
    await lockConversation(org, conversationId)
    const stopped = await stopTurns(org, conversationId, ctx.now)
    if (stopped.length === 0) throw new AppError('nothing_to_stop')
    for (const turnId of stopped) await markStopped(org, conversationId, turnId)
    await markAnswered(org, conversationId)
    return null
  },
})

/** Clears the chat. Safe to repeat. */
export const clear = userMutation({
  args: testChatInput,
  handler: async (ctx, { agentId, variant }) => {
    const org = inOrganization(ctx)
    await getAgent(org, agentId)
    const chat = { agentId, variant, userId: ctx.caller.userId }
    const conversationId = await store.findChat(org, chat)
    if (conversationId) await removeUnusedLater({ ...org, jobs: ctx.jobs }, await listFileKeys(org, conversationId, 0))
    await chats.removeChat(org, chat)
    return null
  },
})

/** The caller's chat, locked until the transaction ends, with an agent and knowledge that both exist. */
async function openChat(
  ctx: UserMutationContext,
  { agentId, variant }: { agentId: Id<'agents'>; variant: TestVariant },
  overrides: TestOverrides | undefined,
) {
  const org = inOrganization(ctx)
  await getAgent(org, agentId)
  for (const spaceId of overrides?.knowledge?.spaceIds ?? []) await assertSpace(org, spaceId)
  return { org, held: await chats.openChat(org, { agentId, variant, userId: ctx.caller.userId }) }
}

/** @throws message_empty */
async function ask(
  ctx: UserMutationContext,
  conversationId: Id<'conversations'>,
  { text, attachments }: { text: string; attachments: KeptAttachment[] },
): Promise<Id<'messages'>> {
  if (text === '' && attachments.length === 0) throw new AppError('message_empty')
  const { userId } = ctx.caller
  const org = inOrganization(ctx)
  const message = { conversationId, author: 'customer', userId, text, isAnswered: false } as const
  const messageId = await appendMessage(org, message)
  await attach(org, { conversationId, messageId }, attachments)
  return messageId
}

/** Removes what follows a message; an answer in progress is stopped, and files without a message are removed. */
async function rewind(ctx: UserMutationContext, conversationId: Id<'conversations'>, through: number): Promise<void> {
  const org = inOrganization(ctx)
  await stopTurns(org, conversationId, ctx.now)
  await removeUnusedLater({ ...org, jobs: ctx.jobs }, await listFileKeys(org, conversationId, through))
  await chats.rewind(org, conversationId, through)
}

/** @throws organization_required */
function inOrganization({ db, caller }: Pick<UserMutationContext | UserQueryContext, 'db' | 'caller'>) {
  const { organizationId } = caller
  if (!organizationId) throw new AppError('organization_required')
  return { db, organizationId }
}
