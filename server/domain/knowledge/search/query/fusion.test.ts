// Which of two rankings wins.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { NOWHERE } from '#shared/knowledge/chunks.ts'
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
const near = (name: string, share: number, trust: number | null = null): NearHit => ({ hit: hit(name), share, trust })
const best = (ranked: RankedHit[]) => ranked[0]?.hit.sourceId

describe('words and meaning that disagree about the best', () => {
  const nearest = [near('meant', 1), near('other', 0.95), near('worded', 0.5)]

  it('are decided by words where the nearest in meaning holds the words too', () => {
    expect(best(fuse([byWords('worded', 1), byWords('meant', 0.8)], nearest, 0.4))).toBe('worded')
  })

  it('are decided by meaning where the nearest holds few of the words and is far ahead', () => {
    const ahead = [near('meant', 1), near('other', 0.6), near('worded', 0.1)]
    expect(best(fuse([byWords('worded', 1), byWords('third', 0.8)], ahead, 0.3))).toBe('meant')
  })

  it('are decided by meaning where the words carry next to nothing of the question', () => {
    expect(best(fuse([byWords('worded', 1), byWords('meant', 0.8)], nearest, 0.05))).toBe('meant')
  })
})

it('takes one ranking unchanged where the other has found nothing', () => {
  expect(best(fuse([byWords('worded', 1)], [], 0.4))).toBe('worded')
  expect(best(fuse([], [near('meant', 1)], 0))).toBe('meant')
})

describe('a near tie of words', () => {
  const tie = [byWords('worded', 1), byWords('meant', 0.98), byWords('third', 0.5)]
  const nearest = (trust: number) => [near('meant', 1, trust), near('other', 0.95, trust), near('worded', 0.2, trust)]
  const order = (trust: number, evidence: number) =>
    fuse(tie, nearest(trust), evidence).map((each) => each.hit.sourceId)

  it('stays as it is where meaning weighs next to nothing', () => {
    expect(order(0.5, 0.7)).toEqual(['worded', 'meant', 'third', 'other'])
  })

  it('is settled by meaning where that weighs something', () => {
    expect(order(0.5, 0.2)[0]).toBe('meant')
  })
})

describe('a model that is not trusted', () => {
  const words = [byWords('worded', 1), byWords('other', 0.8)]
  const ahead = (trust: number | null) => [
    near('meant', 1, trust),
    near('other', 0.6, trust),
    near('worded', 0.1, trust),
  ]

  it('does not displace what words have found, however far ahead its best is', () => {
    expect(best(fuse(words, ahead(0.8), 0.3))).toBe('meant')
    expect(best(fuse(words, ahead(0.1), 0.3))).toBe('worded')
    expect(fuse(words, ahead(0), 0.3).map((each) => each.hit.sourceId)).toEqual(['worded', 'other', 'meant'])
  })

  it('counts in full when nothing is known of it, and no more when it never fails', () => {
    const scores = (trust: number | null) => fuse(words, ahead(trust), 0.3).map(({ chunk }) => chunk.score)
    expect(scores(null)).toEqual(scores(0.73))
    expect(scores(1)).toEqual(scores(0.73))
    expect(scores(0.6)).not.toEqual(scores(0.73))
  })

  it('changes no place while its trust is no more than chance may give', () => {
    const faint = (trust: number) => fuse(words, ahead(trust), 0.02).map((each) => each.hit.sourceId)
    expect(faint(0.1)).toEqual(['worded', 'other', 'meant'])
    expect(faint(0.3)[0]).toBe('meant')
  })

  it('finds what shares no word with the question', () => {
    expect(best(fuse([], ahead(0.05), 0))).toBe('meant')
  })
})
