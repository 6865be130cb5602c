// Who has a conversation open, and who is typing in it: a hint for colleagues, on which nothing else depends.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { conversationInput } from '#shared/messaging/conversations.ts'
import { announceInput } from '#shared/messaging/operator-tools.ts'
import { listThreadIds } from '../conversations/threads.store.ts'
import * as store from './presence.store.ts'

/** Everyone who is or was lately there, in any conversation shown as one with it, the caller included. Rows expire without a change: see `Presence`. @throws not_found */
export const list = orgQuery({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => store.listPresence(ctx, await listThreadIds(ctx, conversationId)),
})

/** Announces what the caller does; repeated every few seconds while it lasts. @throws not_found */
export const announce = orgMutation({
  args: announceInput,
  isAutomatic: true,
  handler: async (ctx, { conversationId, state }) => {
    const shown = await listThreadIds(ctx, conversationId)
    const place = { conversationId, userId: ctx.caller.userId }
    if (state === 'gone') await store.removePresence(ctx, place)
    else await store.setPresence(ctx, place, state)
    await store.forgetVanished(ctx, shown)
    return null
  },
})
