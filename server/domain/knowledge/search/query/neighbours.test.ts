// Which neighbours of found chunks are shown with them.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { NOWHERE } from '#shared/knowledge/chunks.ts'
import type { Hit } from '../hits.store.ts'
import type { RankedHit } from './after-ranking.ts'
import { placesBeside, withNeighbours } from './neighbours.ts'

/** `x3`: the fourth chunk of document x. */
function hitAt(name: string, over: Partial<Hit> = {}): Hit {
  return {
    id: name as Id<'chunks'>,
    spaceId: 's' as Id<'knowledgeSpaces'>,
    sourceId: name.slice(0, 1),
    sourceKind: 'document',
    title: '',
    headingPath: [],
    body: name,
    ordinal: Number(name.slice(1)),
    ...NOWHERE,
    tokens: 10,
    contentHash: name,
    ...over,
  }
}
function found(name: string, score: number, over: Partial<Hit> = {}): RankedHit {
  const hit = hitAt(name, over)
  const scores = { words: score, grams: score }
  return { hit, chunk: { chunkId: hit.id, score, scores, matchedTerms: [] } }
}
const names = (hits: RankedHit[], beside: Hit[], budget: number) =>
  withNeighbours(hits, beside, budget).map(({ hit }) => hit.body)

describe('neighbours', () => {
  it('are what stands directly before and after, first what follows', () => {
    expect(placesBeside([found('x3', 1)])).toEqual([
      { sourceId: 'x', ordinal: 4 },
      { sourceId: 'x', ordinal: 2 },
    ])
    const beside = ['x1', 'x2', 'x4', 'x5', 'y2', 'y4'].map((name) => hitAt(name))
    expect(names([found('x3', 1)], beside, 100)).toEqual(['x3', 'x4', 'x2'])
    expect(placesBeside([])).toEqual([])
  })

  it('are taken from the same section before those under another heading', () => {
    const beside = [hitAt('x2', { headingPath: ['Оплата'] }), hitAt('x4', { headingPath: ['Возврат'] })]
    expect(names([found('x3', 1, { headingPath: ['Оплата'] })], beside, 20)).toEqual(['x3', 'x2'])
  })

  it('never take the place of what was found, and end with the budget', () => {
    const hits = [found('x3', 1), found('y3', 0.9)]
    const beside = ['x2', 'x4', 'y2', 'y4'].map((name) => hitAt(name))
    expect(names(hits, beside, 45)).toEqual(['x3', 'y3', 'x4', 'x2'])
    expect(names(hits, beside, 5)).toEqual(['x3', 'y3'])
  })

  it('are shown once, and not when they were found themselves', () => {
    expect(names([found('x3', 1), found('x5', 0.9)], [hitAt('x4'), hitAt('x5')], 100)).toEqual(['x3', 'x5', 'x4'])
    expect(names([found('x3', 1), found('x4', 0.9)], [hitAt('x4'), hitAt('x3')], 100)).toEqual(['x3', 'x4'])
    expect(names([found('x3', 1)], [hitAt('x4', { contentHash: 'x3' })], 100)).toEqual(['x3'])
  })

  it('are not added around hits that are far behind the best', () => {
    const beside = ['x4', 'y4'].map((name) => hitAt(name))
    expect(names([found('x3', 1), found('y3', 0.4)], beside, 100)).toEqual(['x3', 'y3', 'x4'])
  })
})
