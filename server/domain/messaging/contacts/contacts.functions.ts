// Customers as the team knows them, and the totals of a conversation.
import { removeFilesLater } from '#server/domain/knowledge/documents/files/files.job.ts'
import { getMember } from '#server/domain/organizations/members.store.ts'
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import {
  contactInput,
  legalHoldInput,
  mergeContactsInput,
  searchContactsInput,
  updateContactInput,
} from '#shared/messaging/contacts.ts'
import { conversationInput } from '#shared/messaging/conversations.ts'
import type { ErasureCounts } from '#shared/messaging/retention.ts'
import {
  countEverywhere,
  deleteExports,
  deletePerson,
  deleteUnlinkedRecords,
  listOwn,
  listTheirFiles,
} from '../compliance/erasure.store.ts'
import { insertRemoval } from '../compliance/retention.store.ts'
import { measureConversation } from '../conversations/metrics.store.ts'
import { listThreadIds } from '../conversations/threads.store.ts'
import { separateFromStrangers } from '../conversations/threads.ts'
import * as store from '../customers/contacts.store.ts'
import * as holds from '../customers/legal-hold.store.ts'
import { mergeContacts, separateContact } from '../customers/people.store.ts'
import { removeUnusedLater } from '../files/uploads.job.ts'
import { findContactsBy } from '../inbox/search.ts'

/** The person behind a contact, with all conversations. @throws not_found */
export const get = orgQuery({ args: contactInput, handler: (ctx, { customerId }) => store.getContact(ctx, customerId) })

/** Changes what is given. What the channel reports of the customer is kept in addition. @throws not_found */
export const update = orgMutation({
  args: updateContactInput,
  handler: async (ctx, { customerId, patch }) => {
    await store.updateContact(ctx, customerId, patch)
    return null
  },
})

/** Contacts by the beginnings of their names, or by what a channel knows them by. */
export const search = orgAction({
  args: searchContactsInput,
  handler: (ctx, { query }) => findContactsBy(ctx.services.database, ctx.organizationId, query),
})

/**
 * Merges two contacts into one person: history, identifiers and notes of both are shown together, and new notes belong to the survivor.
 * Messages of each still go through its own channel. A legal hold of one applies to both. @throws not_found, contacts_one_already
 */
export const merge = orgMutation({
  args: mergeContactsInput,
  handler: async (ctx, { survivorId, otherId }) => {
    await holds.holdAllHolds(ctx)
    await mergeContacts(ctx, { survivorId, otherId, by: ctx.caller.userId })
    await holds.shareLegalHold(ctx, survivorId)
    return null
  },
})

/**
 * Undoes a merge: the contact gets back what was its own; notes made since stay with the other. Conversations of both that are shown as one
 * are separated, and a legal hold stays on both. Safe to repeat. @throws not_found
 */
export const separate = orgMutation({
  args: contactInput,
  handler: async (ctx, { customerId }) => {
    await separateContact(ctx, customerId)
    await separateFromStrangers(ctx, customerId, ctx.caller.userId)
    return null
  },
})

/** Puts the person on legal hold: nothing of theirs is removed from now on, neither by retention nor by hand. Safe to repeat: the first hold stays. @throws not_found */
export const setLegalHold = orgMutation({
  args: legalHoldInput,
  isAudited: true,
  handler: async (ctx, { customerId, reason }) => {
    await holds.setLegalHold(ctx, customerId, { by: ctx.caller.userId, reason, now: ctx.now })
    await ctx.audit({ resource: { kind: 'contact', id: customerId }, after: { reason } })
    return null
  },
})

/** What is old enough is removed with the next run of the retention; that it was held, and who lifted it, stays on record. Safe to repeat. @throws not_found */
export const liftLegalHold = orgMutation({
  args: contactInput,
  isAudited: true,
  handler: async (ctx, { customerId }) => {
    const { name: by } = await getMember(ctx, ctx.caller.userId)
    await holds.liftLegalHold(ctx, customerId, { by, now: ctx.now })
    await ctx.audit({ resource: { kind: 'contact', id: customerId } })
    return null
  },
})

/** What erasing a customer would remove. @throws not_found */
export const erasure = orgQuery({
  args: contactInput,
  handler: async (ctx, { customerId }) => {
    const people = await store.listPerson(ctx, customerId)
    return countEverywhere(ctx, { people, conversationIds: await listOwn(ctx, people, false) })
  },
})

/**
 * Erases a customer everywhere, for good: all identifiers, conversations, files and whatever quotes them, the files of all exports
 * included. An answer that is being written is discarded. @returns the receipt: what there was. @throws not_found, contact_on_legal_hold
 */
export const erase = orgMutation({
  args: contactInput,
  isAudited: true,
  handler: async (ctx, { customerId }): Promise<{ counts: ErasureCounts }> => {
    const people = await store.listPerson(ctx, customerId)
    const everywhere = { people, conversationIds: await listOwn(ctx, people, true) }
    await holds.assertNoLegalHold(ctx, people)
    const counts = await countEverywhere(ctx, everywhere)
    const keys = await listTheirFiles(ctx, everywhere.conversationIds)
    await deleteUnlinkedRecords(ctx, everywhere)
    await deletePerson(ctx, everywhere)
    const exported = await deleteExports(ctx)
    await insertRemoval(ctx, { kind: 'erasure', userId: ctx.caller.userId, counts })
    await removeUnusedLater(ctx, keys)
    await removeFilesLater(ctx, exported)
    await ctx.audit({ resource: { kind: 'contact', id: customerId }, after: counts })
    return { counts }
  },
})

/** The totals of a conversation so far, with all that is shown as one with it. @throws not_found */
export const metrics = orgQuery({
  args: conversationInput,
  handler: async (ctx, { conversationId }) => measureConversation(ctx, await listThreadIds(ctx, conversationId)),
})
