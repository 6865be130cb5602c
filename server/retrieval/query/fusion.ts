// Two rankings → one: what shares words with a question and what is near to it in meaning. Pure.
import type { Hit } from '../hits.store.ts'
import type { RankedHit } from './after-ranking.ts'

/** A chunk near in meaning: 1 for the nearest of its list, 0 for the last. */
export type NearHit = { hit: Hit; share: number }

const WORDS_WEIGHT = 0.4
const MEANING_WEIGHT = 0.6

/** Similarities of one list as shares between its last and its best: models differ in what they call near. */
export function asShares<Near extends { similarity: number }>(list: Near[]): (Near & { share: number })[] {
  const values = list.map((each) => each.similarity)
  const [best, last] = [Math.max(...values), Math.min(...values)]
  return list.map((each) => ({ ...each, share: best === last ? 1 : (each.similarity - last) / (best - last) }))
}

/** The weighted sum of both, best first. A list that is empty is left out. */
export function fuse(byWords: RankedHit[], near: NearHit[]): RankedHit[] {
  if (near.length === 0) return byWords
  const wordsWeight = byWords.length === 0 ? 0 : WORDS_WEIGHT
  const meaningWeight = byWords.length === 0 ? 1 : MEANING_WEIGHT
  const shares = new Map(near.map(({ hit, share }) => [hit.id, share]))
  const found = new Set(byWords.map(({ hit }) => hit.id))
  const onlyNear = near.filter(({ hit }) => !found.has(hit.id)).map(({ hit }) => withoutWords(hit))
  return [...byWords, ...onlyNear]
    .map(({ hit, chunk }) => {
      const meaning = shares.get(hit.id) ?? 0
      const score = wordsWeight * chunk.score + meaningWeight * meaning
      return { hit, chunk: { ...chunk, score, scores: { ...chunk.scores, meaning } } }
    })
    .sort((a, b) => b.chunk.score - a.chunk.score)
}

/** What several wordings have found, each chunk as it was found best; best first. */
export function bestOf(lists: RankedHit[][]): RankedHit[] {
  const [first = [], ...others] = lists
  if (others.length === 0) return first
  const best = new Map<Hit['id'], RankedHit>()
  for (const each of lists.flat()) {
    const known = best.get(each.hit.id)
    if (!known || known.chunk.score < each.chunk.score) best.set(each.hit.id, each)
  }
  return [...best.values()].sort((a, b) => b.chunk.score - a.chunk.score)
}

function withoutWords(hit: Hit): RankedHit {
  return { hit, chunk: { chunkId: hit.id, score: 0, scores: { words: 0, grams: 0 }, matchedTerms: [] } }
}
