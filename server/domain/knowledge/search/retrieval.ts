// The contract of retrieval: ONE search for tester, test chat and channels, and building the index that it reads.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSource, SearchResponse } from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'
import type { SearchStage } from '#shared/knowledge/knowledge-search.ts'
import type { Relevance } from './query/reranking.ts'

/** A question as embedding models have it, by model. */
export type QueryVectors = Map<string, Float32Array>

/** One way to ask. */
export type Wording = { query: string; vectors: QueryVectors }

export type SearchRequest = {
  spaceIds: Id<'knowledgeSpaces'>[]
  /** By space, sources that the asking agent may not use, in addition to those disabled for the whole space. */
  disabledSources?: Partial<Record<string, readonly KnowledgeSource[]>>
  /** By space: only sources with one of these tags. */
  tags?: Partial<Record<string, readonly string[]>>
  /** By space: only sources in one of these languages, or in none that is known. */
  languages?: Partial<Record<string, readonly SourceLanguage[]>>
  query: string
  /** Hits at most. */
  limit: number
  /**
   * Stop adding hits when their texts exceed this many tokens. The best hit is always kept. The rest of the budget is filled with
   * neighbours of the best hits, beyond the limit.
   */
  tokenBudget?: number
  /** `document`: documents by their best hit, hits of one document in reading order. Best first by default. */
  order?: 'score' | 'document'
  /** Searches by meaning too, in the spaces that have vectors of one of these models. */
  vectors?: QueryVectors
  /** The same question in other words: a chunk counts by the wording that finds it best. */
  alternatives?: Wording[]
  /** The reranking model's scores of chunks: scored ones come first. */
  relevance?: Relevance
  /** Stages that are left out, for the tester. */
  without?: readonly SearchStage[]
}

/** A chunk as the index needs it. */
export type IndexedChunk = {
  id: Id<'chunks'>
  title: string
  headingPath: string[]
  body: string
  alsoAskedAs: string[]
}

export interface Retrieval {
  /** Best chunks of some spaces of one organization. Final hits are checked against the database: a deleted chunk is never returned. */
  search(ctx: OrgStoreContext, request: SearchRequest): Promise<SearchResponse>
  /** Builds an index segment off the main thread. Nothing is stored. */
  buildSegment(chunks: IndexedChunk[]): Promise<Uint8Array>
  /** Merges segments off the main thread, dropping chunks in their deleted bitmaps. Nothing is stored. */
  mergeSegments(segments: StoredSegment[]): Promise<Uint8Array>
  close(): Promise<void>
}

/** The two stored columns of an index segment. */
export type StoredSegment = { blob: Uint8Array; deleted: Uint8Array }
