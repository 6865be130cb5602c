// Makes finished chunks findable: a segment of their own, in the transaction that stores or finishes them.
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

/** For the few chunks of a note: the segment is built at once. */
export async function indexFewChunks(
  ctx: IndexContext,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  chunks: IndexedChunk[],
): Promise<void> {
  await addSegment(ctx, knowledgeSpaceId, buildSegment(chunks), chunks.length)
}

/** Adds a segment that was built beside the main thread. */
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
 * For a few chunks that are found by more than before: a segment with them as they are now. Until the index is tidied they stand in an
 * older one as well, which a search does not show.
 */
export async function reindexChunks(
  ctx: IndexContext,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  chunkIds: Id<'chunks'>[],
): Promise<void> {
  await indexFewChunks(ctx, knowledgeSpaceId, await store.listChunksForIndex(ctx, chunkIds))
  await tidyLater(ctx, knowledgeSpaceId)
}

/** To be called when chunks were deleted. They are not found from the commit on; this only frees what the index spends on them. */
export async function tidyLater(ctx: IndexContext, knowledgeSpaceId: Id<'knowledgeSpaces'>): Promise<void> {
  const data = { organizationId: ctx.organizationId, knowledgeSpaceId }
  await ctx.jobs.send(ctx.db, tidyIndexJob, data, {
    merged: { key: knowledgeSpaceId, everySeconds: TIDY_EVERY_SECONDS },
  })
}
