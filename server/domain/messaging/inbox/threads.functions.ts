// Conversations of one customer that are shown as one: merging and separating them. Each keeps its channel, its agent, its turns and what is
// on its way.
import { orgMutation } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import { type Merged, mergeConversationsInput, separateConversationsInput } from '#shared/messaging/conversations.ts'
import * as rules from '../conversations/threads.rules.ts'
import * as store from '../conversations/threads.store.ts'
import { separateThread } from '../conversations/threads.ts'
import { listPersonContacts } from '../customers/people.store.ts'
import { wakeRouting } from '../handoff/routing.store.ts'

/**
 * Shows conversations of one contact as one, with those that are shown with them already; of several contacts, those of the one with most.
 *
 * @returns the thread, by which it is undone, and the reason for each that was left out
 * @throws too_few_to_merge, merged_already; where fewer than two can be merged, why the first cannot: not_found, conversation_deleted,
 *   several_contacts
 */
export const merge = orgMutation({
  args: mergeConversationsInput,
  handler: async (ctx, { conversationIds }): Promise<Merged> => {
    const wanted = [...new Set(conversationIds)]
    if (wanted.length < 2) throw new AppError('too_few_to_merge')
    const found = await store.withThreads(ctx, wanted)
    const held = found.length === 0 ? [] : await store.holdMergeable(ctx, found)
    const contact = rules.contactOfMost(wanted, held)
    const person = contact ? await listPersonContacts(ctx, contact) : []
    const { merged, refused } = rules.divide(
      wanted,
      held,
      person.map(({ id }) => id),
    )
    const [threadId] = merged.map((each) => each.threadId)
    const isDone = merged.length < 2 || (threadId && merged.every((each) => each.threadId === threadId))
    if (isDone) throw new AppError(refused[0]?.error ?? 'merged_already', { max: THREAD_MAX })
    const ids = merged.map(({ id }) => id)
    const thread = await store.beginThread(ctx, ids)
    const [first] = (await store.listThreads(ctx, [thread])).get(thread) ?? []
    const line = { by: ctx.caller.userId, reason: 'merged', count: ids.length } as const
    if (first) await store.noteThreads(ctx, [{ ...line, conversationId: first._id }])
    await wakeRouting(ctx) // a member with two of them has room for another
    return { threadId: thread, count: ids.length, refused }
  },
})

/**
 * Undoes a merge: what was one before stays one. Without effect when the thread is gone, or was merged further.
 * @returns what was shown as one, by which it is merged again
 */
export const separate = orgMutation({
  args: separateConversationsInput,
  handler: async (ctx, { threadId }): Promise<{ conversationIds: Id<'conversations'>[] }> => ({
    conversationIds: await separateThread(ctx, threadId, ctx.caller.userId),
  }),
})
