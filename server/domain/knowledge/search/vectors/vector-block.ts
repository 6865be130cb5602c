// The vectors of a space in one piece of memory, in two sizes: one bit a dimension finds candidates, one byte a dimension ranks them.
import { lengthOf, quantise, similarity } from './quantised.ts'

/** `at`: the position in which it was added. */
type Near = { at: number; similarity: number }

/** Up to this many vectors are compared exactly. */
const EXACT_MAX = 4_000
/** Candidates of a larger block; those beyond are not among the nearest in practice. */
const CANDIDATES = 400
const BITS = 32

export class VectorBlock {
  /** Of every vector in it. */
  readonly dimensions: number
  readonly #words: number
  readonly #bytes: Int8Array
  readonly #bits: Uint32Array
  readonly #lengths: Float32Array
  #count = 0

  constructor(dimensions: number, capacity: number) {
    this.dimensions = dimensions
    this.#words = Math.ceil(dimensions / BITS)
    this.#bytes = new Int8Array(dimensions * capacity)
    this.#bits = new Uint32Array(this.#words * capacity)
    this.#lengths = new Float32Array(capacity)
  }

  get sizeBytes(): number {
    return this.#bytes.byteLength + this.#bits.byteLength + this.#lengths.byteLength
  }

  /** @throws RangeError when the block is full */
  add(vector: Int8Array): void {
    this.#bytes.set(vector, this.#count * this.dimensions)
    this.#bits.set(signsOf(vector), this.#count * this.#words)
    this.#lengths[this.#count] = lengthOf(vector)
    this.#count += 1
  }

  /** The vector that was added in this position. */
  at(position: number): Int8Array {
    return this.#bytes.subarray(position * this.dimensions, (position + 1) * this.dimensions)
  }

  /**
   * Nearest first, equals in insertion order. A question of other dimensions has no neighbours.
   *
   * @param isHidden by position: 1 to exclude
   */
  nearest(question: Float32Array, most: number, isHidden?: Uint8Array): Near[] {
    if (question.length !== this.dimensions) return []
    const asked = quantise(question)
    const askedLength = lengthOf(asked)
    return this.#candidates(asked, isHidden)
      .map((at) => ({ at, similarity: similarity(asked, this.at(at), askedLength * (this.#lengths[at] ?? 0)) }))
      .sort((a, b) => b.similarity - a.similarity || a.at - b.at)
      .slice(0, most)
  }

  #candidates(asked: Int8Array, isHidden?: Uint8Array): number[] {
    const every = Array.from({ length: this.#count }, (_, at) => at)
    const all = isHidden ? every.filter((at) => !isHidden[at]) : every
    if (all.length <= EXACT_MAX) return all
    const { distances, limit } = this.#signDistances(asked, isHidden)
    return all.filter((at) => (distances[at] ?? 0) <= limit)
  }

  /** In how many signs each vector that is not hidden differs, and the least difference within which CANDIDATES are found. */
  #signDistances(asked: Int8Array, isHidden?: Uint8Array): { distances: Uint16Array; limit: number } {
    const signs = signsOf(asked)
    const distances = new Uint16Array(this.#count)
    const counts = new Uint32Array(this.dimensions + 1)
    for (let at = 0; at < this.#count; at++) {
      if (isHidden?.[at]) continue
      let distance = 0
      const start = at * this.#words
      for (let word = 0; word < this.#words; word++) {
        distance += bitsIn((this.#bits[start + word] ?? 0) ^ (signs[word] ?? 0))
      }
      distances[at] = distance
      counts[distance] = (counts[distance] ?? 0) + 1
    }
    let limit = 0
    for (let found = counts[0] ?? 0; found < CANDIDATES && limit < this.dimensions; ) found += counts[++limit] ?? 0
    return { distances, limit }
  }
}

function signsOf(vector: Int8Array): Uint32Array {
  const signs = new Uint32Array(Math.ceil(vector.length / BITS))
  for (const [at, value] of vector.entries()) {
    if (value > 0) signs[at >> 5] = (signs[at >> 5] ?? 0) | (1 << (at & 31))
  }
  return signs
}

/** @source Hacker's Delight, 5-1 */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
