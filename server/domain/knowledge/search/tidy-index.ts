// Keeps a space's index small and in step with its chunks: marks deleted ones, indexes missing ones, merges segments, rebuilds those of an
// older tokenizer version. Searches do not wait for it: hits are verified against the database.
import type { Database, OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { isDeleted, markDeleted, noneDeleted, openSegment, type Segment } from './index/segment.ts'
import type { IndexedChunk, Retrieval, StoredSegment } from './retrieval.ts'
import * as store from './segments.store.ts'

/** Number of segments from which small ones are merged. */
export const SEGMENTS_MAX = 8
/** Segments left after a merge, if the small ones are small enough. */
const SEGMENTS_KEPT = 4
/** A segment with more than this share of deleted chunks is rewritten. */
const DELETED_SHARE = 0.5
const CHUNKS_PER_READ = 500
/** Chunks that one run indexes again because words are read otherwise, if their segments are not larger. */
const RENEWED_MOST = 20_000

export type TidyContext = { database: Database; retrieval: Retrieval }
type TidyData = { organizationId: Id<'organizations'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }
/** `isWaiting`: outdated, and left for a later run; merged with others it would pass for one of today. */
type Tidied = store.SegmentHead & { deletedCount: number; isChanged: boolean; isWaiting: boolean }
/** `blobs`: of the segments to be merged; `chunks`: those that are in no segment. */
type Plan = { tidied: Tidied[]; merging: Tidied[]; blobs: StoredSegment[]; chunks: IndexedChunk[] }

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
    const { tidied, merging, blobs, chunks } = await inOrganization((ctx) => planTidying(ctx, knowledgeSpaceId), true)
    const added = blobs.length > 0 ? [await retrieval.mergeSegments(blobs)] : []
    if (chunks.length > 0) added.push(await retrieval.buildSegment(chunks))
    const marked = tidied.filter((segment) => segment.isChanged && !merging.includes(segment))
    if (added.length === 0 && marked.length === 0) return
    const idsOf = (segments: Tidied[]) => segments.map((segment) => segment.id)
    await inOrganization(async (ctx) => {
      await store.raiseVersion(ctx, knowledgeSpaceId) // serializes with transactions that add a segment
      const meanwhile = await store.listContents(ctx, knowledgeSpaceId, { except: idsOf(tidied) })
      const renewed = new Set(meanwhile.flatMap(({ chunkIds }) => chunkIds))
      for (const { id, deleted } of marked) await store.updateDeleted(ctx, id, deleted)
      await store.deleteSegments(ctx, idsOf(merging))
      for (const blob of added) await insertNonEmpty(ctx, knowledgeSpaceId, blob, renewed)
    })
  })
}

/** Whole segments are read only where they are merged: the rest of a large index stays where it is. */
async function planTidying(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>): Promise<Plan> {
  const contents = await store.listContents(ctx, spaceId)
  const { tidied, forgotten } = compare(contents, await store.listIndexedChunkIds(ctx, spaceId))
  const merging = segmentsToMerge(tidied.filter(({ isWaiting }) => !isWaiting))
  const blobs: StoredSegment[] = []
  for (const { id, deleted } of merging) blobs.push({ deleted, blob: await store.getBlob(ctx, spaceId, id) })
  return { tidied, merging, blobs, chunks: await readChunks(ctx, forgotten) }
}

/**
 * Which chunks of each segment are deleted, and which chunks are in none. Of a chunk in two segments the newer one counts; once deleted in
 * a segment it stays so, since another has its current state.
 */
function compare(
  segments: store.SegmentContents[],
  living: Set<Id<'chunks'>>,
): { tidied: Tidied[]; forgotten: Id<'chunks'>[] } {
  const forgotten = new Set(living)
  const renewed = segmentsToRenew(segments)
  const tidied = segments.toReversed().map(({ id, chunkCount, chunkIds, deleted: before, isOutdated }): Tidied => {
    const deleted = noneDeleted(chunkCount)
    let deletedCount = 0
    let isChanged = false
    for (const [local, chunkId] of chunkIds.entries()) {
      const wasDeleted = isDeleted(before, local)
      if (!wasDeleted && !renewed.has(id) && forgotten.delete(chunkId)) continue
      markDeleted(deleted, local)
      deletedCount++
      isChanged ||= !wasDeleted
    }
    return { id, chunkCount, deleted, deletedCount, isChanged, isWaiting: isOutdated && !renewed.has(id) }
  })
  return { tidied: tidied.reverse(), forgotten: [...forgotten] }
}

/** The outdated ones of which one run makes the chunks findable again, at least one; the others wait for the next. */
function segmentsToRenew(segments: store.SegmentContents[]): Set<string> {
  const renewed = new Set<string>()
  let chunks = 0
  for (const { id, chunkCount } of segments.filter(({ isOutdated }) => isOutdated)) {
    chunks += chunkCount
    if (renewed.size > 0 && chunks > RENEWED_MOST) break
    renewed.add(id)
  }
  return renewed
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

async function readChunks(ctx: OrgStoreContext, ids: Id<'chunks'>[]): Promise<IndexedChunk[]> {
  const chunks: IndexedChunk[] = []
  for (let at = 0; at < ids.length; at += CHUNKS_PER_READ) {
    chunks.push(...(await store.listChunksForIndex(ctx, ids.slice(at, at + CHUNKS_PER_READ))))
  }
  return chunks
}

/** `renewed`: chunks that were reindexed while the segment was built, of which it holds the old state. */
async function insertNonEmpty(
  ctx: OrgStoreContext,
  spaceId: Id<'knowledgeSpaces'>,
  blob: StoredSegment['blob'],
  renewed: ReadonlySet<Id<'chunks'>>,
): Promise<void> {
  const segment = openSegment(blob)
  const { chunkCount } = segment
  const { deleted, deletedCount } = deletedIn(segment, renewed)
  if (deletedCount < chunkCount) await store.insertSegment(ctx, spaceId, { blob, deleted, chunkCount })
}

function deletedIn(segment: Segment, ids: ReadonlySet<Id<'chunks'>>) {
  const deleted = noneDeleted(segment.chunkCount)
  let deletedCount = 0
  for (let local = 0; local < segment.chunkCount; local++) {
    if (!ids.has(segment.chunkIdAt(local))) continue
    markDeleted(deleted, local)
    deletedCount++
  }
  return { deleted, deletedCount }
}
