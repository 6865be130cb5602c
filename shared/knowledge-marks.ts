// What people note about a source of knowledge beside its text: tags, and from when until when it holds.
import * as z from 'zod/mini'
import { SOURCE_TAG_MAX, SOURCE_TAGS_MAX } from './limits.ts'

/** Of a document, a note or a table. */
export type SourceMarks = {
  tags: string[]
  /** Found from this instant on; null: from the beginning. */
  validFrom: number | null
  /** Found until this instant; null: for ever. */
  validUntil: number | null
}

/** Compared as they are written, in lower case. */
export const tags = z
  .array(z.string().check(z.trim(), z.toLowerCase(), z.minLength(1), z.maxLength(SOURCE_TAG_MAX)))
  .check(z.maxLength(SOURCE_TAGS_MAX))
const instant = z.nullable(z.number().check(z.int(), z.minimum(0)))

/** `sourceId`: of a document, a note or a table. */
export const updateMarksInput = z.strictObject({
  sourceId: z.string(),
  patch: z.strictObject({ tags: z.optional(tags), validFrom: z.optional(instant), validUntil: z.optional(instant) }),
})

/** Whether a source is found at an instant: `waiting` before its time, `expired` after it. */
export function validityAt({ validFrom, validUntil }: SourceMarks, now: number): 'valid' | 'waiting' | 'expired' {
  if (validUntil !== null && validUntil <= now) return 'expired'
  return validFrom !== null && validFrom > now ? 'waiting' : 'valid'
}
