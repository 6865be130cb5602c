// Question → ranked chunks of one index: stems and four-character pieces, mixed. What happens to the hits afterwards is in after-ranking.ts.
import { digitsOfNumberWord, isNumberWord } from '#server/platform/lib/text/number-words.ts'
import type { Id } from '#shared/ids.ts'
import type { SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { gramsOf } from '../analysis/grams.ts'
import { wordsOf } from '../analysis/words.ts'
import type { SearchedIndex } from '../index/searched-index.ts'
import { inverseFrequency, type Scores, scoreGroups } from './bm25.ts'
import type { QueryGroup } from './dictionary.ts'
import { queryWeight, type ReadQuestion, readQuestion, stemsOfAsked } from './query-groups.ts'

/** One ranked chunk. Scores are shares of the best score of their kind, 0 to 1. */
export type RankedChunk = {
  chunkId: Id<'chunks'>
  score: number
  scores: { words: number; grams: number }
  /** Dictionary terms of the question that the chunk holds. */
  matchedTerms: string[]
  /** Where it stands: part of the index, local number. */
  place: { part: number; local: number }
}

/** `evidence`: 0 to 1, how much of the question's weight the best chunk carries. */
export type Ranking = { chunks: RankedChunk[]; evidence: number }

const WORDS = { k1: 0.9, b: 0.4 }
const GRAMS = { k1: 1.2, b: 0.75 }
const WORDS_SHARE = 0.6
/** Number of chunks above which 4-grams cost more than they gain. */
const GRAMS_MAX_CHUNKS = 50_000

/** The best `most` chunks, equals in the order in which they were indexed. */
export function rank(index: SearchedIndex, query: string, most: number, without: readonly SearchStage[] = []): Ranking {
  const read = readQuestion(query, index)
  const { groups } = read
  const byWords = scoreGroups(index, 'stems', groups, WORDS)
  const hasGrams = index.chunkCount <= GRAMS_MAX_CHUNKS && !without.includes('grams')
  const byGrams = hasGrams ? scoreGroups(index, 'grams', gramGroups(wordsOf(query)), GRAMS) : null
  const wordsShare = without.includes('words') ? 0 : byGrams?.best ? WORDS_SHARE : 1
  const chunks = best(mix(byWords, byGrams, wordsShare), most).map(({ part, local, score }): RankedChunk => {
    const segment = index.parts[part]?.open.segment
    if (!segment) throw new Error(`The index has no part ${part}.`)
    return {
      chunkId: segment.chunkIdAt(local),
      score,
      scores: { words: share(byWords, part, local), grams: byGrams ? share(byGrams, part, local) : 0 },
      matchedTerms: [],
      place: { part, local },
    }
  })
  addMatchedTerms(chunks, index, groups)
  return { chunks, evidence: evidence(index, read, byWords.best) }
}

/** Each piece once, as heavy as its occurrences together. */
function gramGroups(words: string[]): { queryWeight: number; terms: Map<string, number> }[] {
  const weights = new Map<string, number>()
  for (const word of words) {
    for (const gram of gramsOf(word)) weights.set(gram, (weights.get(gram) ?? 0) + queryWeight(word))
  }
  return Array.from(weights, ([gram, weight]) => ({ queryWeight: weight, terms: new Map([[gram, 1]]) }))
}

/** Normalised sum of both; what words do not weigh, the pieces do. */
function mix(words: Scores, grams: Scores | null, wordsShare: number): Float32Array[] {
  return words.parts.map((scores, part) =>
    scores.map((_, local) => {
      const fromGrams = grams ? (1 - wordsShare) * share(grams, part, local) : 0
      return wordsShare * share(words, part, local) + fromGrams
    }),
  )
}

function share(scores: Scores, part: number, local: number): number {
  return scores.best === 0 ? 0 : (scores.parts[part]?.[local] ?? 0) / scores.best
}

type Place = { part: number; local: number; score: number }

function best(parts: Float32Array[], most: number): Place[] {
  const top: Place[] = []
  for (const [part, scores] of parts.entries()) {
    for (let local = 0; local < scores.length; local++) {
      const score = scores[local] ?? 0
      const isTooLow = top.length === most && score <= (top[most - 1]?.score ?? 0)
      if (score === 0 || isTooLow) continue
      let at = top.length
      while (at > 0 && (top[at - 1]?.score ?? 0) < score) at--
      top.splice(at, 0, { part, local, score })
      if (top.length > most) top.pop()
    }
  }
  return top
}

function addMatchedTerms(chunks: RankedChunk[], index: SearchedIndex, groups: QueryGroup[]): void {
  const terms = new Set(groups.flatMap((group) => [...group.terms.keys()]))
  for (const [number, part] of index.parts.entries()) {
    const inPart = new Map(
      chunks.filter(({ place }) => place.part === number).map((chunk) => [chunk.place.local, chunk]),
    )
    if (inPart.size === 0) continue
    const { stems } = part.open.segment
    for (const term of terms) {
      const position = stems.find(term)
      const shown = isNumberWord(term) ? digitsOfNumberWord(term) : term
      if (position >= 0) stems.forEachPosting(position, (local) => inPart.get(local)?.matchedTerms.push(shown))
    }
  }
}

/** The best chunk's score as a share of what the exact words of the question could reach. */
function evidence(index: SearchedIndex, { words, isKazakh }: ReadQuestion, bestScore: number): number {
  const reachable = words.reduce((sum, word) => {
    const count = Math.max(...stemsOfAsked(word, isKazakh).map((term) => index.countOfStem(term)))
    const idf = inverseFrequency(index.chunkCount, Math.min(count, index.chunkCount))
    return sum + queryWeight(word, isKazakh) * idf * (WORDS.k1 + 1)
  }, 0)
  return reachable === 0 ? 0 : Math.min(1, bestScore / reachable)
}
