// Which neighbours of hits are shown with them.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { NOWHERE } from '#shared/knowledge/chunks.ts'
import type { Hit } from '../hits.store.ts'
import type { RankedHit } from './after-ranking.ts'
import { neighbourPlaces, withNeighbours } from './neighbours.ts'

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
const names = (hits: RankedHit[], neighbours: Hit[], budget: number) =>
  withNeighbours(hits, neighbours, budget).map(({ hit }) => hit.body)

describe('neighbours', () => {
  it('are the chunks directly before and after, the following one first', () => {
    expect(neighbourPlaces([found('x3', 1)])).toEqual([
      { sourceId: 'x', ordinal: 4 },
      { sourceId: 'x', ordinal: 2 },
    ])
    const neighbours = ['x1', 'x2', 'x4', 'x5', 'y2', 'y4'].map((name) => hitAt(name))
    expect(names([found('x3', 1)], neighbours, 100)).toEqual(['x3', 'x4', 'x2'])
    expect(neighbourPlaces([])).toEqual([])
  })

  it('are taken from the same section before those under another heading', () => {
    const neighbours = [hitAt('x2', { headingPath: ['Оплата'] }), hitAt('x4', { headingPath: ['Возврат'] })]
    expect(names([found('x3', 1, { headingPath: ['Оплата'] })], neighbours, 20)).toEqual(['x3', 'x2'])
  })

  it('never take the place of what was found, and end with the budget', () => {
    const hits = [found('x3', 1), found('y3', 0.9)]
    const neighbours = ['x2', 'x4', 'y2', 'y4'].map((name) => hitAt(name))
    expect(names(hits, neighbours, 45)).toEqual(['x3', 'y3', 'x4', 'x2'])
    expect(names(hits, neighbours, 5)).toEqual(['x3', 'y3'])
  })

  it('are shown once, and not when they were found themselves', () => {
    expect(names([found('x3', 1), found('x5', 0.9)], [hitAt('x4'), hitAt('x5')], 100)).toEqual(['x3', 'x5', 'x4'])
    expect(names([found('x3', 1), found('x4', 0.9)], [hitAt('x4'), hitAt('x3')], 100)).toEqual(['x3', 'x4'])
    expect(names([found('x3', 1)], [hitAt('x4', { contentHash: 'x3' })], 100)).toEqual(['x3'])
  })

  it('are not added around hits that are far behind the best', () => {
    const neighbours = ['x4', 'y4'].map((name) => hitAt(name))
    expect(names([found('x3', 1), found('y3', 0.4)], neighbours, 100)).toEqual(['x3', 'y3', 'x4'])
  })
})
