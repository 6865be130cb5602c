// A model of meaning made from the passages themselves, for measuring without a provider: latent semantic analysis of their stems. It
// knows which words stand together and nothing of the world, so it is a weak model; the fewer dimensions, the weaker.
// @source Deerwester et al., Indexing by latent semantic analysis, 1990
import { stem } from '#server/domain/knowledge/search/analysis/stem.ts'
import { wordsOf } from '#server/domain/knowledge/search/analysis/words.ts'
import { seededRandom } from '#tests/random.ts'

/** Text → its vector, the strongest directions first, of length 1; of zeros where it shares no word with the passages. */
export type LatentModel = (text: string) => Float32Array

/** Weight by number of the term. */
type Weights = Map<number, number>

/** Rounds of the approximation; more change no ranking. */
const ROUNDS = 5

/** The same texts always make the same model. */
export function trainLatent(texts: string[], dimensions: number): LatentModel {
  const weigh = weigher(texts)
  const rows = texts.map(weigh)
  const topics = principalVectors(similarities(rows), dimensions)
  const directions = topics.map((topic) => directionOf(topic, rows))
  return (text) => {
    const weights = weigh(text)
    return unit(Float32Array.from(directions, (direction) => along(direction, weights)))
  }
}

/** Frequency by rarity, as a vector of length 1. Words that no passage has weigh nothing. */
function weigher(texts: string[]): (text: string) => Weights {
  const terms = new Map<string, { number: number; passages: number }>()
  for (const text of texts) {
    for (const term of new Set(stemsOf(text))) {
      const known = terms.get(term) ?? { number: terms.size, passages: 0 }
      terms.set(term, { ...known, passages: known.passages + 1 })
    }
  }
  return (text) => {
    const counts = new Map<string, number>()
    for (const term of stemsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
    const weights: Weights = new Map()
    for (const [term, count] of counts) {
      const known = terms.get(term)
      if (known)
        weights.set(known.number, (1 + Math.log(count)) * Math.log((texts.length + 1) / (known.passages + 0.5)))
    }
    const length = Math.hypot(...weights.values()) || 1
    return new Map(Array.from(weights, ([number, weight]) => [number, weight / length]))
  }
}

function stemsOf(text: string): string[] {
  return wordsOf(text).map(stem)
}

/** Each passage with each. */
function similarities(rows: Weights[]): Float64Array[] {
  const holders = new Map<number, { row: number; weight: number }[]>()
  for (const [row, weights] of rows.entries()) {
    for (const [term, weight] of weights) {
      const list = holders.get(term) ?? []
      list.push({ row, weight })
      holders.set(term, list)
    }
  }
  const matrix = rows.map(() => new Float64Array(rows.length))
  for (const list of holders.values()) {
    for (const a of list) {
      const line = matrix[a.row]
      if (line) for (const b of list) line[b.row] = (line[b.row] ?? 0) + a.weight * b.weight
    }
  }
  return matrix
}

/** The strongest directions of a symmetric matrix by repeated multiplication, each at right angles to those before it. */
function principalVectors(matrix: Float64Array[], count: number): Float64Array[] {
  const random = seededRandom(1)
  let vectors = Array.from({ length: Math.min(count, matrix.length) }, () =>
    Float64Array.from(matrix, () => random.below(2001) / 1000 - 1),
  )
  for (let round = 0; round < ROUNDS; round++) {
    vectors = vectors.map((vector) => Float64Array.from(matrix, (line) => dot(line, vector)))
    for (const [at, vector] of vectors.entries()) straighten(vector, vectors.slice(0, at))
  }
  return vectors
}

function straighten(vector: Float64Array, before: Float64Array[]): void {
  for (const other of before) {
    const shared = dot(vector, other)
    for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) - shared * (other[at] ?? 0)
  }
  const length = Math.sqrt(dot(vector, vector)) || 1
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length
}

/** What a topic over passages is over terms, of length 1. */
function directionOf(topic: Float64Array, rows: Weights[]): Weights {
  const sums: Weights = new Map()
  for (const [row, weights] of rows.entries()) {
    for (const [term, weight] of weights) sums.set(term, (sums.get(term) ?? 0) + weight * (topic[row] ?? 0))
  }
  const length = Math.sqrt([...sums.values()].reduce((sum, value) => sum + value * value, 0)) || 1
  return new Map(Array.from(sums, ([term, value]) => [term, value / length]))
}

function along(direction: Weights, weights: Weights): number {
  let sum = 0
  for (const [term, weight] of weights) sum += weight * (direction.get(term) ?? 0)
  return sum
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
