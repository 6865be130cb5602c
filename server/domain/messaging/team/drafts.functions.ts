// Answers of agents while they are being written, for everyone who has the conversation open.
import { orgQuery } from '#server/functions/define.ts'
import { conversationInput } from '#shared/messaging/conversations.ts'
import { listThreadIds } from '../conversations/threads.store.ts'
import * as store from '../turns/drafts.store.ts'

/**
 * What agents are writing in a conversation and in those that are shown as one with it; live. A query of its own, so that growing text
 * reloads nothing else. Sent only while a member announces that they are looking (see presence.functions.ts). @throws not_found
 */
export const list = orgQuery({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => store.listDrafts(ctx, await listThreadIds(ctx, conversationId)),
})
