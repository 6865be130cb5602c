// Finds the terms of a dictionary that resemble a word: trigram → terms, in typed arrays. Made at the first question of a segment.
import { isNumber } from '../analysis/stem.ts'
import { trigramsOf } from '../query/distance.ts'
import type { SegmentField } from './segment.ts'

const MIN_LENGTH = 3
const CACHE_SIZE = 2_000

export type SimilarTerm = { term: string; similarity: number }

/** Terms of three characters or more that are not all digits, ordered by how many trigrams they have. */
export class TrigramLookup {
  readonly #terms: string[]
  readonly #sizes: Uint8Array
  readonly #numberOf = new Map<string, number>()
  readonly #starts: Uint32Array
  readonly #postings: Uint32Array
  readonly #shared: Uint8Array
  readonly #cache = new Map<string, SimilarTerm[]>()

  constructor(field: SegmentField) {
    const listed: { term: string; trigrams: string[] }[] = []
    for (let position = 0; position < field.termCount; position++) {
      const term = field.termAt(position)
      if (term.length >= MIN_LENGTH && term.length < 250 && !isNumber(term))
        listed.push({ term, trigrams: trigramsOf(term) })
    }
    listed.sort((a, b) => a.trigrams.length - b.trigrams.length)
    this.#terms = listed.map(({ term }) => term)
    this.#sizes = Uint8Array.from(listed, ({ trigrams }) => trigrams.length)
    this.#shared = new Uint8Array(listed.length)

    const counts: number[] = []
    for (const { trigrams } of listed) {
      for (const trigram of trigrams) {
        const number = this.#numberOf.get(trigram) ?? this.#numberOf.size
        this.#numberOf.set(trigram, number)
        counts[number] = (counts[number] ?? 0) + 1
      }
    }
    this.#starts = new Uint32Array(counts.length + 1)
    for (const [number, count] of counts.entries()) this.#starts[number + 1] = (this.#starts[number] ?? 0) + count
    this.#postings = new Uint32Array(this.#starts[counts.length] ?? 0)
    const next = this.#starts.slice()
    for (const [termNumber, { trigrams }] of listed.entries()) {
      for (const trigram of trigrams) {
        const number = this.#numberOf.get(trigram) ?? 0
        const at = next[number] ?? 0
        this.#postings[at] = termNumber
        next[number] = at + 1
      }
    }
  }

  /** Terms other than the word whose share of common trigrams is at least `least`, best first, equals by alphabet. */
  similar(word: string, least: number, most: number): SimilarTerm[] {
    const key = `${word} ${least}`
    const known = this.#cache.get(key)
    if (known) return known.slice(0, most)
    const found = this.#find(word, least)
    if (this.#cache.size >= CACHE_SIZE) this.#cache.clear()
    this.#cache.set(key, found)
    return found.slice(0, most)
  }

  #find(word: string, least: number): SimilarTerm[] {
    const trigrams = trigramsOf(word)
    // |A ∩ B| ≤ min(|A|, |B|): only terms with so many trigrams can be similar enough.
    const from = this.#firstOfSize(Math.ceil(trigrams.length * least))
    const to = this.#firstOfSize(Math.floor(trigrams.length / least) + 1)
    const touched: number[] = []
    for (const trigram of trigrams) {
      const number = this.#numberOf.get(trigram)
      if (number === undefined) continue
      const end = this.#starts[number + 1] ?? 0
      for (let at = this.#firstFrom(this.#starts[number] ?? 0, end, from); at < end; at++) {
        const term = this.#postings[at] ?? 0
        if (term >= to) break
        if (this.#shared[term] === 0) touched.push(term)
        this.#shared[term] = (this.#shared[term] ?? 0) + 1
      }
    }
    const similar: SimilarTerm[] = []
    for (const number of touched) {
      const common = this.#shared[number] ?? 0
      this.#shared[number] = 0
      const similarity = common / (trigrams.length + (this.#sizes[number] ?? 0) - common)
      const term = this.#terms[number] ?? ''
      if (similarity >= least && term !== word) similar.push({ term, similarity })
    }
    return similar.sort(bySimilarity)
  }

  /** Number of the first term with at least so many trigrams. */
  #firstOfSize(size: number): number {
    return lowerBound(0, this.#sizes.length, (at) => (this.#sizes[at] ?? 0) >= size)
  }

  #firstFrom(start: number, end: number, termNumber: number): number {
    return lowerBound(start, end, (at) => (this.#postings[at] ?? 0) >= termNumber)
  }
}

/** Most similar first, equals by alphabet, so that results are the same every time. */
export function bySimilarity(a: SimilarTerm, b: SimilarTerm): number {
  return b.similarity - a.similarity || (a.term < b.term ? -1 : 1)
}

function lowerBound(start: number, end: number, isEnough: (at: number) => boolean): number {
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isEnough(middle)) high = middle
    else low = middle + 1
  }
  return low
}
