// What is found when the tester leaves a stage of the search out.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { NOWHERE, type SourceKind } from '#shared/knowledge/chunks.ts'
import type { SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { buildSegment } from '../index/build-segment.ts'
import { IndexPart, OpenSegment, SearchedIndex } from '../index/searched-index.ts'
import { noneDeleted, openSegment } from '../index/segment.ts'
import { type RankedHit, select } from './after-ranking.ts'
import { rank } from './ranking.ts'

const BODIES = ['Оплатить заказ можно картой.', 'Заказы оплачиваются при получении.', 'Мы открыты каждый день.']
const index = new SearchedIndex([
  new IndexPart(
    new OpenSegment(
      openSegment(
        buildSegment(
          BODIES.map((body, number) => ({ id: idOf(number), title: '', headingPath: [], alsoAskedAs: [], body })),
        ),
      ),
    ),
    noneDeleted(BODIES.length),
  ),
])

function idOf(number: number): Id<'chunks'> {
  return String(number).padStart(32, '0') as Id<'chunks'>
}

const foundWithout = (...without: SearchStage[]) => rank(index, 'оплатить заказ', 10, without).chunks
const hit = (number: number, score: number, sourceKind: SourceKind, body: string): RankedHit => ({
  hit: {
    id: idOf(number),
    spaceId: 's' as Id<'knowledgeSpaces'>,
    sourceId: String(number),
    sourceKind,
    title: '',
    headingPath: [],
    body,
    ordinal: 0,
    ...NOWHERE,
    tokens: 5,
    contentHash: body,
  },
  chunk: { chunkId: idOf(number), score, scores: { words: score, grams: 0 }, matchedTerms: [] },
})

describe('without a stage', () => {
  it('the ranking goes by the other one alone', () => {
    for (const { score, scores } of foundWithout('grams')) {
      expect(scores.grams).toBe(0)
      expect(score).toBeCloseTo(scores.words)
    }
    for (const { score, scores } of foundWithout('words')) expect(score).toBeCloseTo(scores.grams)
    expect(foundWithout('words')).not.toEqual([])
    expect(foundWithout()[0]?.score).toBeCloseTo(1)
  })

  it('nothing is found by words when both are left out', () => {
    expect(foundWithout('words', 'grams')).toEqual([])
  })

  it('notes stand where their score puts them', () => {
    const ranked = [hit(1, 1, 'document', 'one'), hit(2, 0.8, 'fragment', 'two')]
    const order = (without: SearchStage[]) => select(ranked, { limit: 5, without }).map((each) => each.hit.sourceKind)
    expect(order([])).toEqual(['fragment', 'document'])
    expect(order(['notes'])).toEqual(['document', 'fragment'])
  })

  it('passages that say the same are all shown, up to the limit', () => {
    const ranked = [1, 2, 3].map((number) => hit(number, 1, 'document', 'the same'))
    expect(select(ranked, { limit: 2 })).toHaveLength(1)
    expect(select(ranked, { limit: 2, without: ['duplicates'] })).toHaveLength(2)
  })
})
