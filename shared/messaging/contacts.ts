// Customers as the team knows them, and the metrics of a conversation with one.
import * as z from 'zod/mini'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import {
  CONTACT_ATTRIBUTES_MAX,
  CONTACT_KEY_MAX,
  CONTACT_NAME_MAX,
  CONTACT_NOTE_MAX,
  CONTACT_TAG_LENGTH_MAX,
  CONTACT_TAGS_MAX,
  CONTACT_VALUE_MAX,
  LEGAL_HOLD_REASON_MAX,
  LIST_SEARCH_MAX,
} from '#shared/limits.ts'
import type { UsagePurpose } from '#shared/organizations/billing.ts'
import { id } from '#shared/schema.ts'
import type { ConversationStatus } from './conversations.ts'

const customerId = id('customers')
const tag = z.string().check(z.trim(), z.minLength(1), z.maxLength(CONTACT_TAG_LENGTH_MAX))
const attribute = z.strictObject({
  key: z.string().check(z.trim(), z.minLength(1), z.maxLength(CONTACT_KEY_MAX)),
  value: z.string().check(z.trim(), z.maxLength(CONTACT_VALUE_MAX)),
})

export const contactInput = z.strictObject({ customerId })
/** Each key once. An empty name: the one that the channel says. */
export const contactPatch = z.strictObject({
  name: z.string().check(z.trim(), z.maxLength(CONTACT_NAME_MAX)),
  tags: z.array(tag).check(z.maxLength(CONTACT_TAGS_MAX)),
  attributes: z.array(attribute).check(
    z.maxLength(CONTACT_ATTRIBUTES_MAX),
    z.refine((list) => new Set(list.map(({ key }) => key.toLowerCase())).size === list.length),
  ),
  note: z.string().check(z.trim(), z.maxLength(CONTACT_NOTE_MAX)),
})
/** Merges `otherId` into `survivorId`, which represents both. */
export const mergeContactsInput = z.strictObject({ survivorId: customerId, otherId: customerId })
export const searchContactsInput = z.strictObject({
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(LIST_SEARCH_MAX)),
})
export const legalHoldInput = z.strictObject({
  customerId,
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(LEGAL_HOLD_REASON_MAX)),
})
export const updateContactInput = z.strictObject({ customerId, patch: z.partial(contactPatch) })

/** Something that the team notes of a customer: birthday → 4 May. */
export type ContactAttribute = { key: string; value: string }

/** How a channel identifies a person. */
export type ContactIdentifier = { channel: Channel; connection: string; externalId: string; username: string | null }

/** A contact that was merged: what the team had noted about it, which a separation restores. */
export type MergedContact = {
  _id: Id<'customers'>
  /** What it was called. */
  name: string
  tags: string[]
  attributes: ContactAttribute[]
  note: string
  identifier: ContactIdentifier
  mergedAt: number
  /** Who merged them; null: the account is gone. */
  mergedBy: string | null
}

/** A contact found by search, which represents its person. */
export type ContactHit = { _id: Id<'customers'>; name: string; identifier: ContactIdentifier }

/** `at`: when it was ordered, milliseconds since the epoch; `by`: name of the person who ordered it; null: their account is gone. */
export type LegalHold = { at: number; by: string | null; reason: string }
export type LiftedHold = LegalHold & { liftedAt: number; liftedBy: string }

/** A customer as the team knows them. */
export type Contact = {
  /** Of the contact that represents the person. */
  _id: Id<'customers'>
  /** As the team calls them; null: as the channel does. */
  givenName: string | null
  channelName: string
  language: string | null
  tags: string[]
  attributes: ContactAttribute[]
  note: string
  /** How channels identify the person, the representing contact first. */
  identifiers: ContactIdentifier[]
  /** Those that were merged, the last first. */
  merged: MergedContact[]
  /** Nothing of them may be removed until it is lifted. `by`: who ordered it; null: their account is gone. Null: no hold. */
  legalHold: LegalHold | null
  /** Those that were lifted, the last first. */
  liftedHolds: LiftedHold[]
  /** All conversations with them, the one with the newest message first. */
  conversations: {
    _id: Id<'conversations'>
    channel: Channel
    agentName: string
    status: ConversationStatus
    messageCount: number
    lastMessageAt: number
  }[]
}

/** Metrics of a conversation. */
export type ConversationMetrics = {
  messages: { customer: number; agent: number; operator: number }
  /** From the first message to the last. */
  durationMs: number
  /** Of all calls of models that were made for it. */
  inputTokens: number
  outputTokens: number
  costMicroUsd: number
  /** Of which, on what: those that cost something. */
  costs: { purpose: UsagePurpose; costMicroUsd: number }[]
  /** Calls whose price is unknown; their cost is not in `costMicroUsd`. */
  unpricedCalls: number
  /** How long the customer waited for the first answer, and in the middle of all; null: never answered. */
  firstResponseMs: number | null
  medianResponseMs: number | null
}
