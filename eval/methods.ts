// The search methods that are compared: by words, by meaning and by both, with plain BM25 as the baseline.
import { stem } from '#server/domain/knowledge/search/analysis/stem.ts'
import { wordsOf } from '#server/domain/knowledge/search/analysis/words.ts'
import type { Hit } from '#server/domain/knowledge/search/hits.store.ts'
import { buildSegment } from '#server/domain/knowledge/search/index/build-segment.ts'
import { IndexPart, OpenSegment, SearchedIndex } from '#server/domain/knowledge/search/index/searched-index.ts'
import { noneDeleted, openSegment } from '#server/domain/knowledge/search/index/segment.ts'
import { scoreGroups } from '#server/domain/knowledge/search/query/bm25.ts'
import { asShares, fuse } from '#server/domain/knowledge/search/query/fusion.ts'
import { rank } from '#server/domain/knowledge/search/query/ranking.ts'
import type { IndexedChunk } from '#server/domain/knowledge/search/retrieval.ts'
import { quantise } from '#server/domain/knowledge/search/vectors/quantised.ts'
import { VectorBlock } from '#server/domain/knowledge/search/vectors/vector-block.ts'
import type { Id } from '#shared/ids.ts'
import { type Passage, type Query, titleOf, type Vectors } from './sets.ts'

/** What is searched. */
type Searched = { passages: Passage[]; vectors: Vectors | null }
/** Ids of the best passages, best first. */
export type Finder = (query: Query) => string[] | Promise<string[]>
export type Figures = { at1: number; at5: number; at10: number; mrr: number }

/** How many passages a method returns. */
export const DEPTH = 10
/** How many passages of each kind the search merges. */
const CANDIDATES = 50

/** Building one takes seconds, and a set is measured with several models. */
const indexes = new WeakMap<Passage[], SearchedIndex>()

/** The methods of a set; those by meaning where its vectors were recorded. */
export function methodsOf(set: Searched): [string, Finder][] {
  const hits = set.passages.map((passage, number): Hit => toHit(number, titleOf(passage), passage.text))
  const idOf = new Map(hits.map((hit, number) => [hit.id, set.passages[number]?.id ?? '']))
  const index = indexes.get(set.passages) ?? indexOf(hits.map((hit) => ({ ...hit, alsoAskedAs: [] })))
  indexes.set(set.passages, index)
  const named = (ids: Id<'chunks'>[]) => ids.slice(0, DEPTH).map((id) => idOf.get(id) ?? '')
  const byWords = (query: Query) => rank(index, query.query, CANDIDATES)
  const nearest = nearestIn(set, hits)
  const both = (query: Query) => {
    const { chunks, evidence } = byWords(query)
    const ranked = chunks.flatMap((chunk) => {
      const hit = hits[Number(chunk.chunkId)]
      return hit ? [{ chunk, hit }] : []
    })
    return fuse(ranked, asShares(nearest?.(query) ?? []), evidence)
  }
  return [
    ['BM25', ({ query }) => named(plainBm25(index, query))],
    ['words', (query) => named(byWords(query).chunks.map((chunk) => chunk.chunkId))],
    ...(nearest
      ? ([
          ['meaning', (query) => named(nearest(query).map(({ hit }) => hit.id))],
          ['both', (query) => named(both(query).map(({ hit }) => hit.id))],
        ] satisfies [string, Finder][])
      : []),
  ]
}

/** How often a method finds the passage, and at which rank. */
export async function figures(queries: Query[], find: Finder): Promise<Figures> {
  return figuresOf(await ranksOf(queries, find))
}

/** For each question the rank of its passage, from 1; 0 where it is not found. */
export async function ranksOf(queries: Query[], find: Finder): Promise<number[]> {
  const ranks: number[] = []
  for (const query of queries) {
    ranks.push((await find(query)).findIndex((id) => query.relevant.includes(id)) + 1)
  }
  return ranks
}

/** The figures of such ranks. */
export function figuresOf(ranks: number[]): Figures {
  const mean = (worth: (rank: number) => number) => ranks.reduce((sum, rank) => sum + worth(rank), 0) / ranks.length
  return { at1: mean(WORTH.at1), at5: mean(WORTH.at5), at10: mean(WORTH.at10), mrr: mean(WORTH.mrr) }
}

/** The contribution of a rank to each figure. */
export const WORTH: Record<keyof Figures, (rank: number) => number> = {
  at1: (rank) => Number(rank === 1),
  at5: (rank) => Number(rank > 0 && rank <= 5),
  at10: (rank) => Number(rank > 0 && rank <= DEPTH),
  mrr: (rank) => (rank > 0 ? 1 / rank : 0),
}

/** The position of a passage is its id. */
function toHit(number: number, title: string, body: string): Hit {
  return {
    id: String(number).padStart(32, '0') as Id<'chunks'>,
    spaceId: 's' as Id<'knowledgeSpaces'>,
    sourceId: String(number),
    sourceKind: 'document',
    title,
    headingPath: [],
    body,
    ordinal: 0,
    page: null,
    lastPage: null,
    sheet: null,
    firstRow: null,
    lastRow: null,
    tokens: 0,
    contentHash: String(number),
  }
}

function indexOf(chunks: IndexedChunk[]): SearchedIndex {
  const part = new IndexPart(new OpenSegment(openSegment(buildSegment(chunks))), noneDeleted(chunks.length))
  return new SearchedIndex([part])
}

/** The passages nearest in meaning. A question with a typing error has the vector of the question without. */
function nearestIn({ passages, vectors }: Searched, hits: Hit[]) {
  const dimensions = vectors?.passages.values().next().value?.length
  if (!vectors || !dimensions) return null
  const block = new VectorBlock(dimensions, passages.length)
  for (const { id } of passages) block.add(quantise(vectors.passages.get(id) ?? new Float32Array(dimensions)))
  return ({ id }: Query) =>
    block.nearest(vectors.queries.get(id) ?? new Float32Array(dimensions), CANDIDATES).flatMap(({ at, similarity }) => {
      const hit = hits[at]
      return hit ? [{ hit, similarity, trust: vectors.trust }] : []
    })
}

/** Exact stems, with stop words weighted like others: the baseline that the search must beat. */
function plainBm25(index: SearchedIndex, query: string): Id<'chunks'>[] {
  const groups = wordsOf(query).map((word) => ({ queryWeight: 1, terms: new Map([[stem(word), 1]]) }))
  const scores = scoreGroups(index, 'stems', groups, { k1: 1.2, b: 0.75 }).parts[0] ?? new Float32Array()
  return Array.from(scores, (score, local) => ({ score, local }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.local - b.local)
    .slice(0, DEPTH)
    .flatMap(({ local }) => index.parts[0]?.open.segment.chunkIdAt(local) ?? [])
}
