// Keeps a space's index small and in step with its chunks: marks deleted ones, indexes forgotten ones, merges segments.
// Search does not wait for it: hits are checked against the database.
import type { Database, OrgStoreContext } from '#server/db/database.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { isDeleted, markDeleted, noneDeleted, openSegment } from './index/segment.ts'
import type { Retrieval, StoredSegment } from './retrieval.ts'
import * as store from './segments.store.ts'

/** From so many segments on, small ones are merged. */
export const SEGMENTS_MAX = 8
/** Segments left after a merge, if the small ones are small enough. */
const SEGMENTS_KEPT = 4
/** A segment with more than this share of deleted chunks is rewritten. */
const DELETED_SHARE = 0.5
const CHUNKS_PER_READ = 500

export type TidyContext = { database: Database; retrieval: Retrieval }
type TidyData = { organizationId: Id<'organizations'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }
type Read = { segments: (store.SegmentHead & { blob: Uint8Array })[]; living: Set<Id<'chunks'>> }
type Tidied = store.SegmentHead & { blob: Uint8Array; deletedCount: number; isChanged: boolean }

export const tidyIndexJob = defineJob<TidyData, TidyContext>({
  name: 'knowledge.tidy-index',
  limitSeconds: 600,
  concurrency: 1,
  run: (ctx, data) => tidyIndex(ctx, data),
})

/** Safe to repeat, and to run on several servers: one at a time works on a space. */
export async function tidyIndex({ database, retrieval }: TidyContext, data: TidyData): Promise<void> {
  const { organizationId, knowledgeSpaceId } = data
  const inOrganization = <T>(run: (ctx: OrgStoreContext) => Promise<T>, readOnly = false) =>
    database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly })
  await database.withLock(`tidy-index ${knowledgeSpaceId}`, async () => {
    const { segments, living } = await inOrganization((ctx) => readIndex(ctx, knowledgeSpaceId), true)
    const { tidied, forgotten } = compare(segments, living)
    const merging = segmentsToMerge(tidied)
    const added = merging.length > 0 ? [await retrieval.mergeSegments(merging)] : []
    if (forgotten.length > 0) {
      const chunks = await inOrganization((ctx) => readChunks(ctx, forgotten), true)
      added.push(await retrieval.buildSegment(chunks))
    }
    const marked = tidied.filter((segment) => segment.isChanged && !merging.includes(segment))
    if (added.length === 0 && marked.length === 0) return
    await inOrganization(async (ctx) => {
      for (const { id, deleted } of marked) await store.updateDeleted(ctx, id, deleted)
      await store.deleteSegments(
        ctx,
        merging.map((segment) => segment.id),
      )
      for (const blob of added) await insertNonEmpty(ctx, knowledgeSpaceId, blob)
      await store.raiseVersion(ctx, knowledgeSpaceId)
    })
  })
}

async function readIndex(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>): Promise<Read> {
  const segments: Read['segments'] = []
  for (const head of await store.listSegments(ctx, spaceId)) {
    segments.push({ ...head, blob: await store.getBlob(ctx, spaceId, head.id) })
  }
  return { segments, living: await store.listIndexedChunkIds(ctx, spaceId) }
}

/** What is deleted in each segment, and which chunks are in none. A chunk that is in two is taken from the newer, as it is now. */
function compare(
  segments: Read['segments'],
  living: Set<Id<'chunks'>>,
): { tidied: Tidied[]; forgotten: Id<'chunks'>[] } {
  const forgotten = new Set(living)
  const tidied = segments.toReversed().map((head): Tidied => {
    const segment = openSegment(head.blob)
    const deleted = noneDeleted(segment.chunkCount)
    let deletedCount = 0
    let isChanged = false
    for (let local = 0; local < segment.chunkCount; local++) {
      if (forgotten.delete(segment.chunkIdAt(local))) continue
      markDeleted(deleted, local)
      deletedCount++
      isChanged ||= !isDeleted(head.deleted, local)
    }
    return { ...head, deleted, deletedCount, isChanged }
  })
  return { tidied: tidied.reverse(), forgotten: [...forgotten] }
}

/**
 * Mostly deleted segments in any case; with too many segments the smallest, and larger ones while they are no larger than
 * all those together. So a chunk is rewritten about as often as its space doubles.
 */
export function segmentsToMerge<Segment extends { chunkCount: number; deletedCount: number }>(
  segments: Segment[],
): Segment[] {
  const isMostlyDeleted = (segment: Segment) => segment.deletedCount > segment.chunkCount * DELETED_SHARE
  if (segments.length <= SEGMENTS_MAX) return segments.filter(isMostlyDeleted)
  const merging = segments.filter(isMostlyDeleted)
  let chunks = 0
  for (const segment of segments.filter((each) => !isMostlyDeleted(each)).sort((a, b) => a.chunkCount - b.chunkCount)) {
    const isNeeded = segments.length - merging.length >= SEGMENTS_KEPT
    if (!isNeeded && segment.chunkCount > chunks) break
    merging.push(segment)
    chunks += segment.chunkCount
  }
  return merging
}

async function readChunks(ctx: OrgStoreContext, ids: Id<'chunks'>[]) {
  const chunks = []
  for (let at = 0; at < ids.length; at += CHUNKS_PER_READ) {
    chunks.push(...(await store.listChunksForIndex(ctx, ids.slice(at, at + CHUNKS_PER_READ))))
  }
  return chunks
}

async function insertNonEmpty(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>, blob: StoredSegment['blob']) {
  const { chunkCount } = openSegment(blob)
  if (chunkCount > 0) await store.insertSegment(ctx, spaceId, { blob, deleted: noneDeleted(chunkCount), chunkCount })
}
