// The one search behind tester, test chat and channels: resolves versions, ranks, checks the hits against the database, selects.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { SearchResponse, SearchResult } from '#shared/knowledge.ts'
import { countChunks, type Hit, listHits, listHitsAt } from './hits.store.ts'
import { IndexCache } from './index/index-cache.ts'
import { SearchedIndex } from './index/searched-index.ts'
import { SegmentBuilder } from './index/segment-builder.ts'
import { inReadingOrder, type RankedHit, select } from './query/after-ranking.ts'
import { placesBeside, type ShownHit, withNeighbours } from './query/neighbours.ts'
import { type RankedChunk, rank } from './query/ranking.ts'
import type { Retrieval, SearchRequest } from './retrieval.ts'
import { listVersions } from './segments.store.ts'

export type RetrievalOptions = {
  /** Memory for open indexes, bytes. */
  cacheBytes?: number
}

const CACHE_BYTES = 256 * 1024 * 1024
/** Below this evidence the best chunk probably does not answer the question. A hint, never a filter. */
const WEAK_EVIDENCE = 0.1
/** Ranked beyond the limit, for hits that fall away as duplicates or because they were deleted. */
const SPARE = { factor: 3, least: 30 }
const MOST_CHECKED = 4_000

/** Safe to share by all organizations: a search sees only what its context sees. */
export function createRetrieval({ cacheBytes = CACHE_BYTES }: RetrievalOptions = {}): Retrieval {
  const cache = new IndexCache(cacheBytes)
  const builder = new SegmentBuilder()
  return {
    search: (ctx, request) => search(cache, ctx, request),
    buildSegment: (chunks) => builder.build(chunks),
    mergeSegments: (segments) => builder.merge(segments),
    close: () => builder.close(),
  }
}

async function search(cache: IndexCache, ctx: OrgStoreContext, request: SearchRequest): Promise<SearchResponse> {
  const startedAt = performance.now()
  const spaces = await listVersions(ctx, request.spaceIds)
  const spaceIds = spaces.map((space) => space.id)
  const parts = []
  for (const space of spaces) parts.push(...(await cache.parts(ctx, space)))
  const { ranked, evidence } = await rankLiving(new SearchedIndex(parts), ctx, spaceIds, request)
  const shown = await widen(ctx, spaceIds, select(ranked, request), request)
  const sourceIds = [...new Set(shown.map(({ hit }) => hit.sourceId))]
  const totals = await countChunks(ctx, spaceIds, sourceIds)
  return {
    results: shown.map((each) => toResult(each, totals)),
    evidence,
    isWeak: evidence < WEAK_EVIDENCE,
    elapsedMs: Math.round((performance.now() - startedAt) * 10) / 10,
  }
}

/**
 * Ranks, and checks what was found. The index learns of deletions a little later than the database: while there are hits that no
 * longer exist, they are taken out and the ranking is repeated, over more chunks each time.
 */
async function rankLiving(
  whole: SearchedIndex,
  ctx: OrgStoreContext,
  spaceIds: Id<'knowledgeSpaces'>[],
  { query, limit }: SearchRequest,
): Promise<{ ranked: RankedHit[]; evidence: number }> {
  let index = whole
  let most = Math.max(limit * SPARE.factor, SPARE.least)
  for (;;) {
    const { chunks, evidence } = rank(index, query, most)
    const hits = await listHits(
      ctx,
      spaceIds,
      chunks.map((chunk) => chunk.chunkId),
    )
    const dead = chunks.filter((chunk) => !hits.has(chunk.chunkId))
    if (dead.length === 0) return { ranked: chunks.flatMap((chunk) => joined(chunk, hits)), evidence }
    index = index.without(dead.map((chunk) => chunk.place))
    most = Math.min(most * 4, MOST_CHECKED)
  }
}

function joined(chunk: RankedChunk, hits: Map<Id<'chunks'>, Hit>): RankedHit[] {
  const hit = hits.get(chunk.chunkId)
  return hit ? [{ chunk, hit }] : []
}

/** Adds neighbours where a budget says how many fit, and puts all in the order that was asked for. */
async function widen(
  ctx: OrgStoreContext,
  spaceIds: Id<'knowledgeSpaces'>[],
  found: RankedHit[],
  { tokenBudget, order = 'score' }: SearchRequest,
): Promise<ShownHit[]> {
  const shown =
    tokenBudget === undefined
      ? found
      : withNeighbours(found, await listHitsAt(ctx, spaceIds, placesBeside(found)), tokenBudget)
  return order === 'score' ? shown : inReadingOrder(shown)
}

function toResult({ chunk, hit }: ShownHit, totals: Map<string, number>): SearchResult {
  return {
    id: hit.id,
    documentId: hit.sourceId,
    content: hit.body,
    score: round(chunk?.score ?? 0),
    scores: { words: round(chunk?.scores.words ?? 0), grams: round(chunk?.scores.grams ?? 0) },
    matchedTerms: chunk?.matchedTerms ?? [],
    isNeighbour: chunk === null,
    metadata: {
      source: hit.title,
      sourceKind: hit.sourceKind,
      page: hit.page,
      chunkIndex: hit.ordinal,
      totalChunks: totals.get(hit.sourceId) ?? 0,
      headingPath: hit.headingPath,
    },
  }
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000
}
