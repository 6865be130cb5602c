// Which of two rankings is believed.
import { describe, expect, it } from 'vitest'
import { NOWHERE } from '#shared/chunks.ts'
import type { Id } from '#shared/ids.ts'
import type { Hit } from '../hits.store.ts'
import type { RankedHit } from './after-ranking.ts'
import { fuse, type NearHit } from './fusion.ts'

function hit(name: string): Hit {
  return {
    id: name.padStart(32, '0') as Id<'chunks'>,
    spaceId: 's' as Id<'knowledgeSpaces'>,
    sourceId: name,
    sourceKind: 'document',
    title: '',
    headingPath: [],
    body: name,
    ordinal: 0,
    ...NOWHERE,
    tokens: 5,
    contentHash: name,
  }
}

const byWords = (name: string, score: number): RankedHit => ({
  hit: hit(name),
  chunk: { chunkId: hit(name).id, score, scores: { words: score, grams: 0 }, matchedTerms: [] },
})
const near = (name: string, share: number): NearHit => ({ hit: hit(name), share })
const best = (ranked: RankedHit[]) => ranked[0]?.hit.sourceId

describe('words and meaning that disagree about the best', () => {
  const nearest = [near('meant', 1), near('other', 0.95), near('said', 0.5)]

  it('are decided by words where the nearest in meaning holds the words too', () => {
    expect(best(fuse([byWords('said', 1), byWords('meant', 0.8)], nearest, 0.4))).toBe('said')
  })

  it('are decided by meaning where the nearest holds few of the words and is far ahead', () => {
    const ahead = [near('meant', 1), near('other', 0.6), near('said', 0.1)]
    expect(best(fuse([byWords('said', 1), byWords('third', 0.8)], ahead, 0.3))).toBe('meant')
  })

  it('are decided by meaning where the words carry next to nothing of the question', () => {
    expect(best(fuse([byWords('said', 1), byWords('meant', 0.8)], nearest, 0.05))).toBe('meant')
  })
})

it('takes one ranking as it is where the other has found nothing', () => {
  expect(best(fuse([byWords('said', 1)], [], 0.4))).toBe('said')
  expect(best(fuse([], [near('meant', 1)], 0))).toBe('meant')
})
