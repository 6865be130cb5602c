// BM25 over groups of terms: the frequency of a group is the weighted sum over its terms, so a group has one IDF.
import type { SearchedIndex } from '../index/searched-index.ts'
import { type FieldName, isDeleted } from '../index/segment.ts'

export type ScoredGroup = { queryWeight: number; terms: ReadonlyMap<string, number> }
export type Bm25Options = { k1: number; b: number }

/** Scores of all chunks: one array a part, by local number; `best` is the highest of all. */
export type Scores = { parts: Float32Array[]; best: number }

type Touched = { locals: number[]; frequencies: Float32Array }

/** Deleted chunks score 0. */
export function scoreGroups(
  index: SearchedIndex,
  field: FieldName,
  groups: ScoredGroup[],
  options: Bm25Options,
): Scores {
  const scores = index.parts.map((part) => new Float32Array(part.open.segment.chunkCount))
  const scratch = index.parts.map((part) => new Float32Array(part.open.segment.chunkCount))
  const averageLength = index.averageLength(field) || 1
  for (const group of groups) {
    const touched = index.parts.map((_, number) => groupFrequencies(index, number, field, group, scratch[number]))
    const chunksWithGroup = touched.reduce((sum, { locals }) => sum + locals.length, 0)
    const weight = group.queryWeight * inverseFrequency(index.chunkCount, chunksWithGroup) * (options.k1 + 1)
    for (const [number, part] of index.parts.entries()) {
      const lengths = part.open.segment[field].lengths
      addScores(scores[number], touched[number], lengths, averageLength, weight, options)
    }
  }
  return { parts: scores, best: highest(scores) }
}

/**
 * A handful of chunks says nothing about which words are rare: taken at its word, a space of one chunk would hold every word it
 * has for worthless. So a small collection counts as one of this many chunks.
 */
const MIN_COLLECTION = 50

/** @param count chunks that hold the term @param total chunks in all */
export function inverseFrequency(total: number, count: number): number {
  return Math.log(1 + (Math.max(total, MIN_COLLECTION) - count + 0.5) / (count + 0.5))
}

/** Fills the scratch array, which is zero before, with the group's frequencies and lists where. */
function groupFrequencies(
  index: SearchedIndex,
  number: number,
  field: FieldName,
  group: ScoredGroup,
  scratch = new Float32Array(0),
): Touched {
  const locals: number[] = []
  const part = index.parts[number]
  if (!part) return { locals, frequencies: scratch }
  const dictionary = part.open.segment[field]
  for (const [term, weight] of group.terms) {
    const position = dictionary.find(term)
    if (position < 0) continue
    dictionary.forEachPosting(position, (local, frequency) => {
      if (isDeleted(part.deleted, local)) return
      if (scratch[local] === 0) locals.push(local)
      scratch[local] = (scratch[local] ?? 0) + weight * frequency
    })
  }
  return { locals, frequencies: scratch }
}

/** Adds the group's share to the scores and leaves the frequencies zero. */
function addScores(
  scores: Float32Array | undefined,
  touched: Touched | undefined,
  lengths: Uint16Array,
  averageLength: number,
  weight: number,
  { k1, b }: Bm25Options,
): void {
  if (!scores || !touched) return
  for (const local of touched.locals) {
    const frequency = touched.frequencies[local] ?? 0
    touched.frequencies[local] = 0
    const saturation = frequency + k1 * (1 - b + (b * (lengths[local] ?? 0)) / averageLength)
    scores[local] = (scores[local] ?? 0) + (weight * frequency) / saturation
  }
}

function highest(parts: Float32Array[]): number {
  let best = 0
  for (const part of parts) for (const score of part) if (score > best) best = score
  return best
}
