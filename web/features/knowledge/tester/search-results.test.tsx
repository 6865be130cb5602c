// The order of what a search has found explains itself.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import type { SearchResult } from '#shared/knowledge/knowledge.ts'
import type { AgentSearchResponse } from '#shared/knowledge/knowledge-search.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SearchResults } from './search-results.tsx'

beforeAll(async () => {
  await startI18n('en')
  await Promise.all([loadTexts('rag-tester'), loadTexts('conversations')])
})

it.each([
  [
    'a note before a better passage',
    [
      ['fragment', 0.67],
      ['document', 0.94],
    ],
    ['fragment 0.67'],
  ],
  [
    'the best note',
    [
      ['fragment', 0.94],
      ['document', 0.67],
    ],
    [],
  ],
  [
    'a document',
    [
      ['document', 0.67],
      ['document', 0.94],
    ],
    [],
  ],
] as const)('says why %s stands where it does, if that needs a word', (_, found, marked) => {
  const results = found.map(([kind, score]) => result(kind, score))
  const answer = { results, stages: [], wordings: [], isWeak: false, evidence: 1, nearest: null, elapsedMs: 1 }
  render(<SearchResults answer={answer as unknown as AgentSearchResponse} onOpen={() => {}} mark={() => null} />)
  const badges = screen.queryAllByText('A note: goes before documents')
  expect(badges.map((badge) => badge.closest('li')?.querySelector('button')?.textContent)).toEqual(marked)
})

it('says what failed and was skipped also where nothing was found', () => {
  const stages = [{ stage: 'embed', elapsedMs: 3_000, hasFailed: true }]
  const answer = {
    results: [],
    stages,
    wordings: ['Parking fee'],
    isWeak: true,
    evidence: 0,
    nearest: null,
    elapsedMs: 9,
  }
  render(<SearchResults answer={answer as unknown as AgentSearchResponse} onOpen={() => {}} mark={() => null} />)
  expect(screen.getByText('Nothing found')).toBeVisible()
  expect(screen.getByText(/failed and skipped/)).toBeVisible()
  expect(screen.getByText(/Parking fee/)).toBeVisible()
})

function result(sourceKind: 'fragment' | 'document', score: number): SearchResult {
  return {
    id: `${sourceKind} ${score}`,
    content: 'Text.',
    score,
    scores: { words: score, grams: score, meaning: null, relevance: null },
    tokens: 1,
    matchedTerms: [],
    isNeighbour: false,
    metadata: { source: `${sourceKind} ${score}`, sourceKind, chunkIndex: 0, totalChunks: 1, headingPath: [] },
  } as unknown as SearchResult
}
