// Canned replies, shared by all members of an organization. They are inserted into a reply box; nothing here sends.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { cannedReplyInput, createCannedReplyInput, updateCannedReplyInput } from '#shared/messaging/operator-tools.ts'
import { noArgs } from '#shared/schema.ts'
import * as store from './canned.store.ts'

/** All of them, by name. */
export const list = orgQuery({ args: noArgs, handler: (ctx) => store.listCanned(ctx) })

/** Adds one. @throws canned_reply_exists, too_many_canned_replies */
export const create = orgMutation({
  args: createCannedReplyInput,
  lockKey: ({ organizationId }) => organizationId ?? '',
  handler: async (ctx, content) => ({ cannedReplyId: await store.insertCanned(ctx, content) }),
})

/** Changes one. @throws not_found, canned_reply_exists */
export const update = orgMutation({
  args: updateCannedReplyInput,
  lockKey: ({ organizationId }) => organizationId ?? '',
  handler: async (ctx, { cannedReplyId, reply }) => {
    await store.updateCanned(ctx, cannedReplyId, reply)
    return null
  },
})

/** Removes one. @throws not_found */
export const remove = orgMutation({
  args: cannedReplyInput,
  handler: async (ctx, { cannedReplyId }) => {
    await store.deleteCanned(ctx, cannedReplyId)
    return null
  },
})
