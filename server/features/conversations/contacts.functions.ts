// Customers as the team knows them, and what a conversation with one has come to.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { contactInput, updateContactInput } from '#shared/contacts.ts'
import { conversationInput } from '#shared/conversations.ts'
import * as store from './contacts.store.ts'
import { getConversation } from './conversations.store.ts'
import { measureConversation } from './metrics.store.ts'

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

/** What a conversation has come to so far. @throws not_found */
export const metrics = orgQuery({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => {
    await getConversation(ctx, conversationId)
    return measureConversation(ctx, conversationId)
  },
})
