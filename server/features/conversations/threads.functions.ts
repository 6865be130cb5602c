// Conversations of one customer that are shown as one: merging and separating them. Each keeps its channel, its agent, its turns and what is
// on its way.
import { wakeRouting } from '#server/features/organizations/operators.store.ts'
import { orgMutation } from '#server/functions/define.ts'
import { mergeConversationsInput, separateConversationsInput } from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import { listPersonContacts } from './people.store.ts'
import * as store from './threads.store.ts'
import { separateThread } from './threads.ts'

/**
 * Shows conversations as one, with those that are shown with them already. All of them or none.
 *
 * @returns the thread, by which it is undone
 * @throws not_found, too_few_to_merge, thread_too_long, conversation_deleted, several_contacts, merged_already
 */
export const merge = orgMutation({
  args: mergeConversationsInput,
  handler: async (ctx, { conversationIds }): Promise<{ threadId: Id<'threads'>; count: number }> => {
    const wanted = [...new Set(conversationIds)]
    if (wanted.length < 2) throw new AppError('too_few_to_merge')
    const ids = await store.withThreads(ctx, wanted)
    if (wanted.some((id) => !ids.includes(id))) throw new AppError('not_found')
    const held = await store.holdMergeable(ctx, ids)
    if (ids.length > THREAD_MAX) throw new AppError('thread_too_long', { max: THREAD_MAX })
    if (held.some(({ place }) => place === 'deleted')) throw new AppError('conversation_deleted')
    const [threadId] = new Set(held.map((each) => each.threadId))
    if (threadId && held.every((each) => each.threadId === threadId)) throw new AppError('merged_already')
    const [customerId] = held.map((each) => each.customerId)
    const person = customerId ? await listPersonContacts(ctx, customerId) : []
    if (!held.every((each) => person.some(({ id }) => id === each.customerId))) throw new AppError('several_contacts')
    const thread = await store.beginThread(ctx, ids)
    const [first] = (await store.listThreads(ctx, [thread])).get(thread) ?? []
    const line = { by: ctx.caller.userId, reason: 'merged', count: ids.length } as const
    if (first) await store.noteThreads(ctx, [{ ...line, conversationId: first._id }])
    await wakeRouting(ctx) // whoever had two of them in hand has room for another
    return { threadId: thread, count: ids.length }
  },
})

/** Takes a merge back: what was one before stays one. Nothing when it is not there any more, or was merged further. */
export const separate = orgMutation({
  args: separateConversationsInput,
  handler: async (ctx, { threadId }) => {
    await separateThread(ctx, threadId, ctx.caller.userId)
    return null
  },
})
