// The one search behind tester, test chat and channels: resolves versions, ranks, verifies the hits against the database, selects.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { SourceKind } from '#shared/knowledge/chunks.ts'
import { type SearchResponse, type SearchResult, SOURCE_OF_KIND } from '#shared/knowledge/knowledge.ts'
import { type Hidden, hiddenIn } from './hidden.ts'
import { countPassed, type SearchedSpace } from './hidden-sources.store.ts'
import { countChunks, type Hit, listHits, listHitsAt } from './hits.store.ts'
import { IndexCache } from './index/index-cache.ts'
import { SearchedIndex } from './index/searched-index.ts'
import { SegmentBuilder } from './index/segment-builder.ts'
import { inReadingOrder, type RankedHit, select } from './query/after-ranking.ts'
import { asShares, bestOf, fuse, type NearHit } from './query/fusion.ts'
import { neighbourPlaces, type ShownHit, withNeighbours } from './query/neighbours.ts'
import { type RankedChunk, rank } from './query/ranking.ts'
import { reranked } from './query/reranking.ts'
import type { Retrieval, SearchRequest, Wording } from './retrieval.ts'
import { listVersions, type SpaceVersion } from './segments.store.ts'
import { type Stopwatch, startStopwatch } from './stopwatch.ts'
import { VectorCache } from './vectors/vector-cache.ts'

export type RetrievalOptions = {
  /** Memory for open indexes, bytes; as much again for vectors. */
  cacheBytes?: number
}

const CACHE_BYTES = 256 * 1024 * 1024
/** Chunks near in meaning that are looked at. */
const NEAREST = 50
/** More of them are read at first: the vectors learn of deletions a little later than the database. */
const NEAREST_SPARE = 2
/** Ranked beyond the limit, for hits that fall away as duplicates or because they were deleted. */
const SPARE = { factor: 3, least: 30 }
const MOST_CHECKED = 4_000

/** Safe to share by all organizations: a search sees only what its context sees. */
export function createRetrieval({ cacheBytes = CACHE_BYTES }: RetrievalOptions = {}): Retrieval {
  const caches = { index: new IndexCache(cacheBytes), vectors: new VectorCache(cacheBytes) }
  const builder = new SegmentBuilder()
  return {
    search: (ctx, request) => search(caches, ctx, request),
    buildSegment: (chunks) => builder.build(chunks),
    mergeSegments: (segments) => builder.merge(segments),
    close: () => builder.close(),
  }
}

type Caches = { index: IndexCache; vectors: VectorCache }

async function search(caches: Caches, ctx: OrgStoreContext, request: SearchRequest): Promise<SearchResponse> {
  const watch = startStopwatch()
  const spaces = await narrow(ctx, await listVersions(ctx, request.spaceIds), request)
  const index = await watch.time('index', async () => {
    const parts = []
    for (const space of spaces) parts.push(...(await caches.index.parts(ctx, space, space.hidden)))
    return new SearchedIndex(parts)
  })
  const found: Found[] = []
  for (const wording of [
    { query: request.query, vectors: request.vectors ?? new Map() },
    ...(request.alternatives ?? []),
  ]) {
    found.push(await find({ caches, ctx, index, spaces, watch }, request, wording))
  }
  const results = await watch.time('select', async () => {
    const ranked = reranked(bestOf(found.map(({ hits }) => hits)), request.relevance ?? new Map())
    const shown = await widen(ctx, spaces, select(ranked, request), request)
    const totals = await countChunks(
      ctx,
      shown.map(({ hit }) => hit),
    )
    return shown.map((each) => toResult(each, totals))
  })
  return {
    results,
    evidence: Math.max(...found.map(({ evidence }) => evidence)),
    nearest: nearestOf(found),
    isWeak: !found.some(({ isEnough }) => isEnough),
    elapsedMs: watch.elapsedMs(),
    stages: watch.timings(),
  }
}

type Searched = SpaceVersion & SearchedSpace & { hidden: Hidden }
type Searching = { caches: Caches; ctx: OrgStoreContext; index: SearchedIndex; spaces: Searched[]; watch: Stopwatch }
/** The result of one wording. `nearest`: similarity of the nearest chunk, null where vectors were not used. */
type Found = { hits: RankedHit[]; evidence: number; nearest: number | null; isEnough: boolean }

/** By words and by meaning. */
async function find(searching: Searching, request: SearchRequest, wording: Wording): Promise<Found> {
  const { caches, ctx, index, spaces, watch } = searching
  const { ranked, evidence } = await watch.time('words', () =>
    rankLiving(index, ctx, spaces, { ...request, query: wording.query }),
  )
  const isEnough = hasEnough(ranked, spaces, evidence)
  if (wording.vectors.size === 0) return { hits: ranked, evidence, nearest: null, isEnough }
  const near = await watch.time('meaning', () => findNear(caches.vectors, ctx, spaces, wording))
  const hits = fuse(ranked, near.hits, evidence)
  return { hits, evidence, nearest: near.best, isEnough: isEnough || near.isEnough }
}

/** Whether a hit covers as much of the question in words as the threshold of its space. */
function hasEnough(ranked: RankedHit[], spaces: Searched[], evidence: number): boolean {
  const least = new Map(spaces.map(({ id, enough }) => [id, enough.words]))
  return ranked.some(({ hit, chunk }) => evidence * chunk.scores.words >= (least.get(hit.spaceId) ?? 0))
}

function nearestOf(found: Found[]): number | null {
  const values = found.flatMap(({ nearest }) => nearest ?? [])
  return values.length === 0 ? null : Math.max(...values)
}

/** The spaces with what may not be found in them: kinds that are off, sources out of their time, without a tag or in another language than is wanted. */
async function narrow(
  ctx: OrgStoreContext,
  spaces: SpaceVersion[],
  { disabledSources, tags, languages }: SearchRequest,
): Promise<Searched[]> {
  const now = new Date()
  const marked = spaces.filter(({ hasMarks }) => hasMarks).map(({ id }) => id)
  const passed = await countPassed(ctx, marked, now)
  const kinds = Object.keys(SOURCE_OF_KIND) as SourceKind[]
  return spaces.map((space) => {
    const disabled = [...space.disabledSources, ...(disabledSources?.[space.id] ?? [])]
    const withoutKinds = kinds.filter((kind) => disabled.includes(SOURCE_OF_KIND[kind]))
    const wanted = { tags: tags?.[space.id] ?? [], languages: languages?.[space.id] ?? [], now }
    const isLimited = passed.has(space.id) || wanted.tags.length > 0 || wanted.languages.length > 0
    const searched = { ...space, withoutKinds, limits: isLimited ? wanted : null }
    return { ...searched, hidden: hiddenIn(ctx, searched, passed.get(space.id) ?? 0) }
  })
}

/**
 * Ranks, and verifies the hits. The index learns of deletions a little later than the database: while there are hits that no longer exist,
 * they are removed and the ranking is repeated, over more chunks each time.
 */
async function rankLiving(
  whole: SearchedIndex,
  ctx: OrgStoreContext,
  spaces: SearchedSpace[],
  { query, limit, without }: SearchRequest,
): Promise<{ ranked: RankedHit[]; evidence: number }> {
  let index = whole
  let most = Math.max(limit * SPARE.factor, SPARE.least)
  for (;;) {
    const { chunks, evidence } = rank(index, query, most, without)
    const hits = await listHits(
      ctx,
      spaces,
      chunks.map((chunk) => chunk.chunkId),
    )
    const dead = chunks.filter((chunk) => !hits.has(chunk.chunkId))
    if (dead.length === 0) return { ranked: onceEach(chunks.flatMap((chunk) => joined(chunk, hits))), evidence }
    index = index.without(dead.map((chunk) => chunk.place))
    most = Math.min(most * 4, MOST_CHECKED)
  }
}

/** A chunk that was reindexed is in two segments until the index is tidied. */
function onceEach(ranked: RankedHit[]): RankedHit[] {
  const seen = new Set<string>()
  return ranked.filter(({ hit }) => !seen.has(hit.id) && seen.add(hit.id))
}

function joined(chunk: RankedChunk, hits: Map<Id<'chunks'>, Hit>): RankedHit[] {
  const hit = hits.get(chunk.chunkId)
  return hit ? [{ chunk, hit }] : []
}

/** Chunks that are near to the question in meaning. Similarities of different models are never compared: each has a list of its own. */
async function findNear(
  cache: VectorCache,
  ctx: OrgStoreContext,
  spaces: Searched[],
  { vectors }: Wording,
): Promise<{ hits: NearHit[]; best: number; isEnough: boolean }> {
  const hits: NearHit[] = []
  let best = 0
  let isEnough = false
  const least = new Map(spaces.map(({ id, enough }) => [id, enough.meaning]))
  const trust = new Map(spaces.map(({ id, embeddingTrust }) => [id, embeddingTrust]))
  for (const [model, question] of vectors) {
    const served = spaces.filter((space) => space.embeddingModel === model)
    const lists = []
    for (const { id, version, hidden } of served) {
      lists.push(...(await cache.nearest(ctx, { id, version, model, hidden }, question, NEAREST * NEAREST_SPARE)))
    }
    const nearest = lists.sort((a, b) => b.similarity - a.similarity).slice(0, NEAREST * NEAREST_SPARE)
    const living = await listHits(
      ctx,
      served,
      nearest.map((each) => each.chunkId),
    )
    const found = nearest
      .flatMap((each) => {
        const hit = living.get(each.chunkId)
        return hit ? [{ hit, similarity: each.similarity, trust: trust.get(hit.spaceId) ?? null }] : []
      })
      .slice(0, NEAREST)
    best = Math.max(best, found[0]?.similarity ?? 0)
    isEnough ||= found.some(({ hit, similarity }) => similarity >= (least.get(hit.spaceId) ?? 0))
    hits.push(...asShares(found))
  }
  return { hits: hits.sort((a, b) => b.share - a.share || trustIn(b) - trustIn(a)), best, isEnough }
}

/** Of two lists' best chunks that of the better model comes first. */
function trustIn({ trust }: NearHit): number {
  return trust ?? 1
}

/** Adds neighbours as far as the budget allows, and sorts all in the requested order. */
async function widen(
  ctx: OrgStoreContext,
  spaces: SearchedSpace[],
  found: RankedHit[],
  { tokenBudget, order = 'score', without }: SearchRequest,
): Promise<ShownHit[]> {
  const shown =
    tokenBudget === undefined || without?.includes('neighbours')
      ? found
      : withNeighbours(found, await listHitsAt(ctx, spaces, neighbourPlaces(found)), tokenBudget)
  return order === 'score' ? shown : inReadingOrder(shown)
}

function toResult({ chunk, hit }: ShownHit, totals: Map<string, number>): SearchResult {
  return {
    id: hit.id,
    documentId: hit.sourceId,
    content: hit.body,
    tokens: hit.tokens,
    score: round(chunk?.score ?? 0),
    scores: {
      words: round(chunk?.scores.words ?? 0),
      grams: round(chunk?.scores.grams ?? 0),
      meaning: roundOrNull(chunk?.scores.meaning),
      relevance: roundOrNull(chunk?.scores.relevance),
    },
    matchedTerms: chunk?.matchedTerms ?? [],
    isNeighbour: chunk === null,
    metadata: {
      source: hit.title,
      sourceKind: hit.sourceKind,
      page: hit.page,
      lastPage: hit.lastPage,
      sheet: hit.sheet,
      firstRow: hit.firstRow,
      lastRow: hit.lastRow,
      chunkIndex: hit.ordinal,
      totalChunks: totals.get(hit.sourceId) ?? 0,
      headingPath: hit.headingPath,
    },
  }
}

function roundOrNull(score: number | undefined): number | null {
  return score === undefined ? null : round(score)
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000
}
