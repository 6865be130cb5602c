// How well a test set does. Pure.
import type { SearchResult } from '#shared/knowledge/knowledge.ts'
import {
  type CaseScores,
  type ExpectedPassage,
  isExpected,
  type KnowledgeCase,
} from '#shared/knowledge/knowledge-cases.ts'

type Found = Parameters<typeof isExpected>[0] & Pick<SearchResult, 'isNeighbour'>

/** Results that are looked at. */
export const LOOKED_AT = 10

/** Rank of the first expected passage, from 1; null when there is none. Neighbours are not hits and have no rank. */
export function rankOf(found: Found[], expected: ExpectedPassage[]): number | null {
  const at = found
    .filter((result) => !result.isNeighbour)
    .findIndex((result) => expected.some((passage) => isExpected(result, passage)))
  return at < 0 ? null : at + 1
}

/** The scores of a test set by the places of its questions. All zero for an empty one. */
export function scoresOf(cases: { caseId: KnowledgeCase['_id']; rank: number | null }[]): CaseScores {
  const share = (value: (rank: number) => number) => {
    const sum = cases.reduce((total, { rank }) => total + (rank === null ? 0 : value(rank)), 0)
    return cases.length === 0 ? 0 : sum / cases.length
  }
  const recallAt = (most: number) => share((rank) => (rank <= most ? 1 : 0))
  return {
    cases,
    recallAt1: recallAt(1),
    recallAt5: recallAt(5),
    recallAt10: recallAt(LOOKED_AT),
    mrr: share((rank) => 1 / rank),
  }
}
