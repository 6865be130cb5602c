// Trying out the search of a space: its stages, and the arguments of the tester.
import * as z from 'zod/mini'
import { searchInput } from './knowledge.ts'
import { id } from './schema.ts'

/**
 * Stages that the tester can leave out: stems of words, pieces of four letters, nearness in meaning, notes before documents, and
 * dropping passages that say the same.
 */
export const SEARCH_STAGES = ['words', 'grams', 'meaning', 'notes', 'duplicates'] as const
export type SearchStage = (typeof SEARCH_STAGES)[number]

export const explainInput = z.extend(searchInput, { without: z.optional(z.array(z.enum(SEARCH_STAGES))) })
export const samplesInput = z.strictObject({ knowledgeSpaceId: id('knowledgeSpaces') })
