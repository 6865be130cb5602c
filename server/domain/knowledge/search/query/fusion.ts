// Two rankings → one: by shared words, and by similarity in meaning. Pure.
import type { Hit } from '../hits.store.ts'
import type { RankedHit } from './after-ranking.ts'

/** A chunk near in meaning: 1 for the nearest of its list, 0 for the last. `trust`: in the model of its space; null: unknown. */
export type NearHit = { hit: Hit; share: number; trust: number | null }

/** Weight of the evidence relative to the lead, and how much that meaning agrees; all set by hand, see docs/internals/search.md. */
const EVIDENCE_WEIGHT = 1.2
const AGREEMENT_WEIGHT = 1.75
/** How sure meaning is when its best chunk is not ahead at all, and what its lead adds. */
const MEANING_SURE = 0.15
const MEANING_LEAD_WEIGHT = 1.15
/** With less weight meaning only turns over near ties of the words, and words were oftener right. See docs/internals/search.md. */
const MEANING_LEAST = 0.08
/** By the odds that a model finds a passage by its own words; from 0.73 on it counts in full. See docs/internals/search.md. */
const TRUST_WEIGHT = 0.45
/** So much trust in a small space chance gives to vectors that know nothing. See docs/internals/search.md. */
const TRUST_BY_CHANCE = 0.1

/** Similarities of one list as shares between its last and its best: models differ in what they call near. */
export function asShares<Near extends { similarity: number }>(list: Near[]): (Near & { share: number })[] {
  const values = list.map((each) => each.similarity)
  const [best, last] = [Math.max(...values), Math.min(...values)]
  return list.map((each) => ({ ...each, share: best === last ? 1 : (each.similarity - last) / (best - last) }))
}

/**
 * The weighted sum of both, best first. A list that is empty is left out.
 *
 * @param evidence how much of the question's weight the best chunk carries in words, 0 to 1
 */
export function fuse(byWords: RankedHit[], near: NearHit[], evidence: number): RankedHit[] {
  if (near.length === 0) return byWords
  const wordsWeight = weightOfWords(byWords, near, evidence)
  const shares = new Map(near.map(({ hit, share }) => [hit.id, share]))
  const found = new Set(byWords.map(({ hit }) => hit.id))
  const onlyNear = near.filter(({ hit }) => !found.has(hit.id)).map(({ hit }) => withoutWords(hit))
  return [...byWords, ...onlyNear]
    .map(({ hit, chunk }) => {
      const meaning = shares.get(hit.id) ?? 0
      const score = wordsWeight * chunk.score + (1 - wordsWeight) * meaning
      return { hit, chunk: { ...chunk, score, scores: { ...chunk.scores, meaning } } }
    })
    .sort((a, b) => b.chunk.score - a.chunk.score)
}

/**
 * The list that is surer of its best chunk weighs more: fixed weights would pull a good list towards a poor one. Words are sure when their
 * best chunk covers much of the question and is far ahead of the next, and when the nearest chunk in meaning contains the words as well:
 * then both mean much the same, and words distinguish similar chunks. Meaning is sure when its best is far ahead, and never surer than the
 * trust in its model: vectors without any knowledge have a best as well. Where words are much surer, they alone decide.
 */
function weightOfWords(byWords: RankedHit[], near: NearHit[], evidence: number): number {
  if (byWords.length === 0) return 0
  const agreement = byWords.find(({ hit }) => hit.id === near[0]?.hit.id)?.chunk.score ?? 0
  const lead = leadOf(byWords.map(({ chunk }) => chunk.score))
  const words = evidence * (lead + EVIDENCE_WEIGHT * Math.sqrt(evidence) + AGREEMENT_WEIGHT * agreement)
  const sure = MEANING_LEAD_WEIGHT * leadOf(near.map(({ share }) => share)) + MEANING_SURE
  const meaning = sure * countOf(near[0]?.trust ?? null)
  const weight = words + meaning === 0 ? 1 : words / (words + meaning)
  return 1 - weight < MEANING_LEAST ? 1 : weight
}

/** The weight of a model, 0 to 1. */
function countOf(trust: number | null): number {
  if (trust === null || trust >= 1) return 1
  return Math.min(1, (TRUST_WEIGHT * Math.max(0, trust - TRUST_BY_CHANCE)) / (1 - trust))
}

/** By how much the best is ahead of the next, as a share of the best. */
function leadOf([best = 0, next = 0]: number[]): number {
  return best === 0 ? 0 : (best - next) / best
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
