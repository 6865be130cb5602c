// How long an organization keeps customers' messages, and the log of removals.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { RETENTION_DAYS_MAX } from '#shared/limits.ts'
import type { Member } from '#shared/organizations/organizations.ts'

/** Days; null: kept forever. */
const days = z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(RETENTION_DAYS_MAX)))

export const retentionSettings = z.strictObject({
  /** Messages with everything attached; a conversation is removed with its last one. */
  messages: days,
  /** Files, and the text extracted from them. */
  attachments: days,
  /** Records of why an agent answered as it did. */
  traces: days,
})
export type RetentionSettings = z.infer<typeof retentionSettings>

/** How many of each. */
export type RetentionCounts = Record<keyof RetentionSettings, number>
/** Conversations of which something is old enough to go and does not, by the first reason that holds. */
export type LeftAlone = {
  /** Customers skipped because of a legal hold; missing: none. */
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

/**
 * One removal: by the settings on a day, or of a customer on request; also counts what the settings kept. Contains no message text and no
 * customer's name.
 */
export type Removal = {
  _id: Id<'removals'>
  kind: 'retention' | 'erasure'
  /** Who requested it; null for removals by the settings, and when the account is gone. */
  author: Pick<Member, '_id' | 'name'> | null
  counts: Partial<RetentionCounts & ErasureCounts> & { left?: LeftAlone }
  at: number
}
