// Notes of the team on a conversation. Customers, channels and models never get one.
import { getMember } from '#server/domain/organizations/members.store.ts'
import { orgMutation, orgQuery, userQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { conversationInput } from '#shared/messaging/conversations.ts'
import { addNoteInput, noteInput } from '#shared/messaging/operator-tools.ts'
import { noArgs } from '#shared/schema.ts'
import { listThreadIds, withThreads } from '../conversations/threads.store.ts'
import { assertCustomerNotHeld } from '../customers/legal-hold.store.ts'
import { getConversation } from '../inbox/conversations.store.ts'
import * as store from './notes.store.ts'

/** The newest notes on a conversation, oldest first. @throws not_found */
export const list = orgQuery({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    await getConversation(ctx, conversationId)
    return store.listNotes(ctx, await listThreadIds(ctx, conversationId))
  },
})

/** Adds a note; everyone mentioned but its author is called. @throws not_found, also for a mention of a user who is no member */
export const add = orgMutation({
  args: addNoteInput,
  handler: async (ctx, { conversationId, text, mentions }) => {
    await getConversation(ctx, conversationId)
    const mentioned = [...new Set(mentions)].filter((userId) => userId !== ctx.caller.userId)
    for (const userId of mentioned) await getMember(ctx, userId)
    const noteId = await store.insertNote(ctx, { conversationId, userId: ctx.caller.userId, text, mentions: mentioned })
    return { noteId }
  },
})

/** Removes one of the caller's own notes. @throws not_found, contact_on_legal_hold */
export const remove = orgMutation({
  args: noteInput,
  handler: async (ctx, { noteId }) => {
    await assertCustomerNotHeld(ctx, await store.getNoteCustomer(ctx, noteId, ctx.caller.userId))
    await store.deleteNote(ctx, noteId, ctx.caller.userId)
    return null
  },
})

/** Notes that mention the caller and that they have not seen, newest first. @throws organization_required */
export const mentions = userQuery({
  args: noArgs,
  handler: async ({ db, caller }) => {
    const { organizationId, userId } = caller
    if (!organizationId) throw new AppError('organization_required')
    return store.listUnseen({ db, organizationId }, userId)
  },
})

/** Marks the notes as seen by the caller, who has the conversation open. */
export const markSeen = orgMutation({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    const ids = await withThreads(ctx, [conversationId])
    if (ids.length > 0) await store.markSeen(ctx, ids, ctx.caller.userId, ctx.now)
    return null
  },
})
