// Chunks, the pieces into which documents and fragments are cut: how they are shown and changed.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { CHUNK_CONTENT_MAX, CHUNK_RANGE_MAX } from '#shared/limits.ts'
import { id, paginationOpts } from '#shared/schema.ts'

/** `sourceId` is the id of a document or a fragment. */
export const chunkSourceInput = z.strictObject({ sourceId: z.string() })
export const listChunksInput = z.strictObject({ sourceId: z.string(), paginationOpts })
/** `excerpt` is how the chunk began when it was used: finds it again where its id is gone but its text is not. */
export const locateChunkInput = z.strictObject({
  sourceId: z.string(),
  chunkId: z.optional(z.string().check(z.maxLength(64))),
  excerpt: z.optional(z.string().check(z.maxLength(CHUNK_CONTENT_MAX))),
})
/** `from` counts chunks from 0, in reading order. */
export const chunkRangeInput = z.strictObject({
  sourceId: z.string(),
  from: z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)),
  count: z.number().check(z.int(), z.minimum(1), z.maximum(CHUNK_RANGE_MAX)),
})
export const updateChunkInput = z.strictObject({
  chunkId: id('chunks'),
  patch: z.strictObject({
    content: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(CHUNK_CONTENT_MAX))),
    isEnabled: z.optional(z.boolean()),
  }),
})

/** Where in its file a chunk stands. Pages and rows are one-based, both ends included; null where the format has none. */
export type ChunkPlace = {
  page: number | null
  lastPage: number | null
  sheet: string | null
  firstRow: number | null
  lastRow: number | null
}

/** The place of a text that is not in a file. */
export const NOWHERE: ChunkPlace = { page: null, lastPage: null, sheet: null, firstRow: null, lastRow: null }

export type Chunk = ChunkPlace & {
  _id: Id<'chunks'>
  documentId: string
  content: string
  headingPath: string[]
  chunkIndex: number
  tokens: number
  /** A disabled chunk is shown to people and never found. */
  isEnabled: boolean
  /** A change makes a new chunk in place of the old one: the ids under which it was known, by which older answers name it. */
  formerIds: Id<'chunks'>[]
}

/** Where among the `total` chunks of its source one stands now, counted from 0, and whether it says something else than it did. */
export type ChunkLocation = {
  total: number
  found: { chunkId: Id<'chunks'>; index: number; hasChanged: boolean } | null
}

/** What chunks belong to, and where it stands. */
export type ChunkSource = {
  kind: SourceKind
  name: string
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  spaceName: string
  spaceSlug: string
  /** Of a page of a site: where it is; null for everything else. */
  url: string | null
  /** Whether it was made of a file that can be saved. */
  hasFile: boolean
}

/** What a chunk was cut from. */
export type SourceKind = 'document' | 'fragment' | 'table'
