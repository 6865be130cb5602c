// Makes finished chunks searchable: a segment of their own, in the transaction that stores or finishes them.
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import type { JobSender } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { buildSegment } from './index/build-segment.ts'
import { noneDeleted } from './index/segment.ts'
import type { IndexedChunk } from './retrieval.ts'
import * as store from './segments.store.ts'
import { SEGMENTS_MAX, tidyIndexJob } from './tidy-index.ts'

/** However much is deleted of a space, it is tidied no more often. */
const TIDY_EVERY_SECONDS = 60

type IndexContext = OrgStoreContext & { jobs: JobSender<Db> }

/** For the few chunks of a note: builds the segment immediately. */
export async function indexFewChunks(
  ctx: IndexContext,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  chunks: IndexedChunk[],
): Promise<void> {
  await addSegment(ctx, knowledgeSpaceId, buildSegment(chunks), chunks.length)
}

/** Adds a segment that was built off the main thread. */
export async function addSegment(
  ctx: IndexContext,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  blob: Uint8Array,
  chunkCount: number,
): Promise<void> {
  await store.insertSegment(ctx, knowledgeSpaceId, { blob, deleted: noneDeleted(chunkCount), chunkCount })
  const segments = await store.countSegments(ctx, knowledgeSpaceId)
  if (segments > SEGMENTS_MAX) await tidyLater(ctx, knowledgeSpaceId)
}

/**
 * For a few chunks that gained search terms: adds a segment with their current state. Until the index is tidied they are in an older
 * segment as well, where searches skip them.
 */
export async function reindexChunks(
  ctx: IndexContext,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  chunkIds: Id<'chunks'>[],
): Promise<void> {
  await indexFewChunks(ctx, knowledgeSpaceId, await store.listChunksForIndex(ctx, chunkIds))
  await tidyLater(ctx, knowledgeSpaceId)
}

/** To be called when chunks were deleted. They are not found from the commit on; this only frees their space in the index. */
export async function tidyLater(ctx: IndexContext, knowledgeSpaceId: Id<'knowledgeSpaces'>): Promise<void> {
  const data = { organizationId: ctx.organizationId, knowledgeSpaceId }
  await ctx.jobs.send(ctx.db, tidyIndexJob, data, {
    merged: { key: knowledgeSpaceId, everySeconds: TIDY_EVERY_SECONDS },
  })
}
