// The test set of a space: questions with the passages that answer them, kept to measure how well search finds them.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'
import type { SearchResult } from './knowledge.ts'
import { SEARCH_STAGES } from './knowledge-search.ts'

/** A passage that answers a question. Matched by its text, since a file that is processed again is cut again. */
export type ExpectedPassage = {
  /** Id of the document or note. */
  sourceId: string
  /** Its name when the passage was chosen. */
  source: string
  excerpt: string
  /** Of a table row; missing in cases saved before rows were recorded. */
  firstRow?: number | null
}

/** Characters of a passage that are kept. */
export const EXPECTED_EXCERPT_MAX = 2000

export type KnowledgeCase = {
  _id: Id<'knowledgeCases'>
  question: string
  expected: ExpectedPassage[]
  createdAt: number
}

/** Search quality on a test set. */
export type CaseScores = {
  /** Rank of the first passage that answers, from 1; null: not among those inspected. */
  cases: { caseId: Id<'knowledgeCases'>; rank: number | null }[]
  /** Shares of the questions, 0 to 1, whose passage is the first, among the first five and among the first ten. */
  recallAt1: number
  recallAt5: number
  recallAt10: number
  /** Mean reciprocal rank, 0 to 1. */
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

type FoundPassage = Pick<SearchResult, 'documentId' | 'content'> & {
  metadata: Pick<SearchResult['metadata'], 'sourceKind' | 'firstRow'>
}

/** Length of the word sequences that are compared: passages of one document share many words without saying the same. */
const RUN = 4
/** For rows with the same number, a similar text is enough. */
const RUN_IN_ROW = 1
/** Share of the shorter text's word sequences that must occur in the other. */
const SAME_SHARE = 0.5

/**
 * A note matches as a whole, however it was edited; a document by the passage, however it is cut now; a table by the row, or one with
 * exactly the same text.
 */
export function isExpected({ documentId, content, metadata }: FoundPassage, passage: ExpectedPassage): boolean {
  if (documentId !== passage.sourceId) return false
  if (metadata.sourceKind === 'fragment') return true
  if (content.slice(0, EXPECTED_EXCERPT_MAX) === passage.excerpt) return true
  if (metadata.sourceKind !== 'table') return saySame(content, passage.excerpt, RUN)
  return metadata.firstRow === passage.firstRow && saySame(content, passage.excerpt, RUN_IN_ROW)
}

function saySame(one: string, other: string, run: number): boolean {
  const [shorter, longer] = [runsIn(one, run), runsIn(other, run)].sort((a, b) => a.size - b.size)
  if (!shorter || !longer || shorter.size === 0) return false
  return [...shorter].filter((each) => longer.has(each)).length >= shorter.size * SAME_SHARE
}

function runsIn(text: string, run: number): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.slice(run - 1).map((_, at) => words.slice(at, at + run).join(' ')))
}
