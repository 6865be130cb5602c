// Metadata of a knowledge source in addition to its text: tags, validity period and language.
import * as z from 'zod/mini'
import { SOURCE_TAG_MAX, SOURCE_TAGS_MAX } from '#shared/limits.ts'

/** Languages that are distinguished; all others are `other`. */
export const SOURCE_LANGUAGES = ['ru', 'en', 'other'] as const
export type SourceLanguage = (typeof SOURCE_LANGUAGES)[number]

/** Of a document, a note or a table. */
export type SourceMarks = {
  tags: string[]
  /** Found from this instant on; null: no start. */
  validFrom: number | null
  /** Found until this instant; null: no end. */
  validUntil: number | null
  /** Its language, as chosen or detected; null: unknown, matches any. */
  language: SourceLanguage | null
  /** Null: detected from the text. */
  chosenLanguage: SourceLanguage | null
}

/** Compared as written, in lower case. */
export const tags = z
  .array(z.string().check(z.trim(), z.toLowerCase(), z.minLength(1), z.maxLength(SOURCE_TAG_MAX)))
  .check(z.maxLength(SOURCE_TAGS_MAX))
const language = z.enum(SOURCE_LANGUAGES)
/** The languages that an agent is restricted to. */
export const languages = z.array(language).check(z.maxLength(SOURCE_LANGUAGES.length))
const instant = z.nullable(z.number().check(z.int(), z.minimum(0)))

/** `sourceId`: of a document, a note or a table. */
export const updateMarksInput = z.strictObject({
  sourceId: z.string(),
  patch: z.strictObject({
    tags: z.optional(tags),
    validFrom: z.optional(instant),
    validUntil: z.optional(instant),
    chosenLanguage: z.optional(z.nullable(language)),
  }),
})

/** Whether a source is found at an instant: `waiting` before its period, `expired` after it. */
export function validityAt(
  { validFrom, validUntil }: Pick<SourceMarks, 'validFrom' | 'validUntil'>,
  now: number,
): 'valid' | 'waiting' | 'expired' {
  if (validUntil !== null && validUntil <= now) return 'expired'
  return validFrom !== null && validFrom > now ? 'waiting' : 'valid'
}
