// The test set of a space: questions with the passages that answer them, kept by people to see how well search finds them.
import * as z from 'zod/mini'
import type { Id } from './ids.ts'
import type { SearchResult } from './knowledge.ts'
import { SEARCH_STAGES } from './knowledge-search.ts'
import { id } from './schema.ts'

/** A passage that answers a question. It is known again by its text, since a file that is processed anew is cut anew. */
export type ExpectedPassage = {
  /** Id of the document or note. */
  sourceId: string
  /** Its name when the passage was chosen. */
  source: string
  excerpt: string
}

export type KnowledgeCase = {
  _id: Id<'knowledgeCases'>
  question: string
  expected: ExpectedPassage[]
  createdAt: number
}

/** How search does on a test set. */
export type CaseScores = {
  /** Place of the first passage that answers, from 1; null: not among those that were looked at. */
  cases: { caseId: Id<'knowledgeCases'>; rank: number | null }[]
  /** Shares of the questions, 0 to 1, whose passage is the first, among the first five and among the first ten. */
  recallAt1: number
  recallAt5: number
  recallAt10: number
  /** Mean of 1 / place, 0 to 1. */
  mrr: number
}

const knowledgeSpaceId = id('knowledgeSpaces')

export const casesInput = z.strictObject({ knowledgeSpaceId })
export const caseInput = z.strictObject({ caseId: id('knowledgeCases') })
/** `isExpected`: whether the passage answers the question. */
export const markCaseInput = z.strictObject({
  knowledgeSpaceId,
  question: z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)),
  chunkId: id('chunks'),
  isExpected: z.boolean(),
})
export const scoreCasesInput = z.strictObject({
  knowledgeSpaceId,
  without: z.optional(z.array(z.enum(SEARCH_STAGES))),
})

/** Part of the shorter text's words that must stand in the other. */
const SAME_SHARE = 0.6

/** A note is its whole self, however it was changed; of a document it must be the passage, however it is cut now. */
export function isExpected(
  found: Pick<SearchResult, 'documentId' | 'content'> & { metadata: Pick<SearchResult['metadata'], 'sourceKind'> },
  { sourceId, excerpt }: ExpectedPassage,
): boolean {
  if (found.documentId !== sourceId) return false
  if (found.metadata.sourceKind === 'fragment') return true
  const texts = [wordsIn(found.content), wordsIn(excerpt)].sort((a, b) => a.size - b.size)
  const [shorter, longer] = texts
  if (!shorter || !longer || shorter.size === 0) return false
  return [...shorter].filter((word) => longer.has(word)).length >= shorter.size * SAME_SHARE
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}
