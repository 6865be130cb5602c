// For how long an organization keeps what customers have said, and what was removed.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { RETENTION_DAYS_MAX } from '#shared/limits.ts'
import type { Member } from '#shared/organizations/organizations.ts'

/** Days; null: kept for good. */
const days = z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(RETENTION_DAYS_MAX)))

export const retentionSettings = z.strictObject({
  /** Messages with all that came with them; a conversation goes with its last one. */
  messages: days,
  /** Files, and what was read from them. */
  attachments: days,
  /** Records of why an agent answered as it did. */
  traces: days,
})
export type RetentionSettings = z.infer<typeof retentionSettings>

/** How many of each. */
export type RetentionCounts = Record<keyof RetentionSettings, number>
/** Conversations of which something is old enough to go and does not, by the first reason that holds. */
export type LeftAlone = {
  /** Nothing of the customer may be removed; missing: there is none such. */
  held?: number
  /** The agent is paused in it. */
  paused: number
  /** The customer waits for an answer or a person. */
  waiting: number
  /** Something is being answered, or on its way. */
  sending: number
}
/** What would go now, and what would be left alone. */
export type RetentionPreview = RetentionCounts & { left: LeftAlone }

/** Things that are removed together with a customer. */
export type ErasureCounts = {
  identifiers: number
  conversations: number
  messages: number
  files: number
  notes: number
  traces: number
}

/** What was removed, and by the settings left alone: by the settings, on a day, or with a customer, when somebody asked for it. Holds nothing that was said, and no name of a customer. */
export type Removal = {
  _id: Id<'removals'>
  kind: 'retention' | 'erasure'
  /** Who asked; null for what the settings removed, and when the account is gone. */
  author: Member | null
  counts: Partial<RetentionCounts & ErasureCounts> & { left?: LeftAlone }
  at: number
}
