// Customers as the team knows them, and what a conversation with one has come to.
import { removeFilesLater } from '#server/features/knowledge/files.job.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { contactInput, updateContactInput } from '#shared/contacts.ts'
import { conversationInput } from '#shared/conversations.ts'
import type { ErasureCounts } from '#shared/retention.ts'
import * as store from './contacts.store.ts'
import { getConversation } from './conversations.store.ts'
import { countEverywhere, deleteBeside, deleteExports, deletePerson, listOwn, listTheirFiles } from './erasure.store.ts'
import { measureConversation } from './metrics.store.ts'
import { insertRemoval } from './retention.store.ts'
import { removeUnusedLater } from './uploads.job.ts'

/** One customer with all conversations. @throws not_found */
export const get = orgQuery({ args: contactInput, handler: (ctx, { customerId }) => store.getContact(ctx, customerId) })

/** Changes what is given. What the channel says of the customer stays beside it. @throws not_found */
export const update = orgMutation({
  args: updateContactInput,
  handler: async (ctx, { customerId, patch }) => {
    await store.updateContact(ctx, customerId, patch)
    return null
  },
})

/** What would go if a customer was erased. @throws not_found */
export const erasure = orgQuery({
  args: contactInput,
  handler: async (ctx, { customerId }) => {
    const people = await store.listPerson(ctx, customerId)
    return countEverywhere(ctx, { people, conversationIds: await listOwn(ctx, people, false) })
  },
})

/**
 * Erases a customer everywhere, for good: all identifiers, conversations, files and whatever quotes them, the files of all exports
 * included. An answer that is being written is thrown away. @returns the receipt: what there was. @throws not_found
 */
export const erase = orgMutation({
  args: contactInput,
  handler: async (ctx, { customerId }): Promise<{ counts: ErasureCounts }> => {
    const people = await store.listPerson(ctx, customerId)
    const everywhere = { people, conversationIds: await listOwn(ctx, people, true) }
    const counts = await countEverywhere(ctx, everywhere)
    const keys = await listTheirFiles(ctx, everywhere.conversationIds)
    await deleteBeside(ctx, everywhere)
    await deletePerson(ctx, everywhere)
    const exported = await deleteExports(ctx)
    await insertRemoval(ctx, { kind: 'erasure', userId: ctx.caller.userId, counts })
    await removeUnusedLater(ctx, keys)
    await removeFilesLater(ctx, exported)
    return { counts }
  },
})

/** What a conversation has come to so far. @throws not_found */
export const metrics = orgQuery({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    await getConversation(ctx, conversationId)
    return measureConversation(ctx, conversationId)
  },
})
