// Finds the terms of a dictionary that resemble a word: trigram → terms, in typed arrays. Made at the first question of a segment,
// on the main thread, so it allocates nothing per trigram. Trigrams share buckets; what comes out of them is checked exactly.
import { isNumberWord } from '#server/platform/lib/text/number-words.ts'
import { trigramsOf } from '#server/platform/lib/text/word-distance.ts'
import { isNumber } from '../analysis/stem.ts'
import type { SegmentField } from './segment.ts'

const MIN_LENGTH = 3
const MAX_LENGTH = 60
const CACHE_SIZE = 2_000
const BUCKETS = 1 << 16

export type SimilarTerm = { term: string; similarity: number }

/** Terms of 3 to 60 characters that are not all digits, numbered by how many trigrams they have. */
export class TrigramLookup {
  readonly #terms: string[]
  /** Distinct trigrams of each term, rising. */
  readonly #sizes: Uint8Array
  /** Where the terms of each bucket begin in `#postings`. */
  readonly #starts = new Uint32Array(BUCKETS + 1)
  readonly #postings: Uint32Array
  /** Scratch: trigrams that each term has in common with the word. */
  readonly #shared: Uint8Array
  readonly #cache = new Map<string, SimilarTerm[]>()

  constructor(field: SegmentField) {
    this.#terms = termsBySize(field)
    this.#sizes = new Uint8Array(this.#terms.length)
    this.#shared = new Uint8Array(this.#terms.length)
    for (const [number, term] of this.#terms.entries()) {
      const buckets = bucketsOf(term)
      this.#sizes[number] = buckets.length
      for (const bucket of buckets) this.#starts[bucket + 1] = (this.#starts[bucket + 1] ?? 0) + 1
    }
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.#starts[bucket + 1] = (this.#starts[bucket + 1] ?? 0) + (this.#starts[bucket] ?? 0)
    }
    this.#postings = new Uint32Array(this.#starts[BUCKETS] ?? 0)
    const next = this.#starts.slice()
    for (const [number, term] of this.#terms.entries()) {
      for (const bucket of bucketsOf(term)) {
        const at = next[bucket] ?? 0
        this.#postings[at] = number
        next[bucket] = at + 1
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
    const trigrams = new Set(trigramsOf(word))
    const similar: SimilarTerm[] = []
    for (const number of this.#candidates(word, least)) {
      const common = this.#shared[number] ?? 0
      this.#shared[number] = 0
      // Two trigrams in one bucket make it look more similar than it is, never less.
      const atMost = common / (trigrams.size + (this.#sizes[number] ?? 0) - common)
      const term = this.#terms[number] ?? ''
      if (atMost < least || term === word) continue
      const similarity = similarityOf(trigrams, term)
      if (similarity >= least) similar.push({ term, similarity })
    }
    return similar.sort(bySimilarity)
  }

  /** Numbers of terms that share a bucket with the word, each once; how many they share is left in the scratch array. */
  #candidates(word: string, least: number): number[] {
    const buckets = bucketsOf(word)
    // |A ∩ B| ≤ min(|A|, |B|): only terms with so many trigrams can be similar enough.
    const from = this.#firstOfSize(Math.ceil(buckets.length * least))
    const to = this.#firstOfSize(Math.floor(buckets.length / least) + 1)
    const touched: number[] = []
    for (const bucket of buckets) {
      const end = this.#starts[bucket + 1] ?? 0
      const start = lowerBound(this.#starts[bucket] ?? 0, end, (at) => (this.#postings[at] ?? 0) >= from)
      for (let at = start; at < end; at++) {
        const number = this.#postings[at] ?? 0
        if (number >= to) break
        if (this.#shared[number] === 0) touched.push(number)
        this.#shared[number] = (this.#shared[number] ?? 0) + 1
      }
    }
    return touched
  }

  /** Number of the first term with at least `size` trigrams. */
  #firstOfSize(size: number): number {
    return lowerBound(0, this.#sizes.length, (at) => (this.#sizes[at] ?? 0) >= size)
  }
}

/** Most similar first, equals by alphabet, so that results are the same every time. */
export function bySimilarity(a: SimilarTerm, b: SimilarTerm): number {
  return b.similarity - a.similarity || (a.term < b.term ? -1 : 1)
}

/** In the order of their number of trigrams. */
function termsBySize(field: SegmentField): string[] {
  const bySize: string[][] = []
  for (let position = 0; position < field.termCount; position++) {
    const term = field.termAt(position)
    if (term.length < MIN_LENGTH || term.length > MAX_LENGTH || isNumber(term) || isNumberWord(term)) continue
    const size = bucketsOf(term).length
    const sameSize = bySize[size]
    if (sameSize) sameSize.push(term)
    else bySize[size] = [term]
  }
  return bySize.flat()
}

/** The buckets of a term's distinct trigrams: one a trigram, so two may be the same. */
function bucketsOf(term: string): number[] {
  const buckets: number[] = []
  const seen: number[] = []
  let first = 32
  let second = 32
  for (let at = 0; at <= term.length; at++) {
    const third = at < term.length ? term.charCodeAt(at) : 32
    const trigram = (first * 65_536 + second) * 65_536 + third
    if (!seen.includes(trigram)) {
      seen.push(trigram)
      buckets.push((Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35)) >>> 16)
    }
    first = second
    second = third
  }
  return buckets
}

function similarityOf(trigrams: ReadonlySet<string>, term: string): number {
  const own = trigramsOf(term)
  const common = own.filter((trigram) => trigrams.has(trigram)).length
  return common / (trigrams.size + own.length - common)
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
