// SQL for index segments and the version of a space that grows with them.
import { sql } from 'kysely'
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { Enough, KnowledgeSource } from '#shared/knowledge/knowledge.ts'
import { WORDS_VERSION } from './analysis/terms.ts'
import { chunkIdsOf, headLength, ID_LENGTH } from './index/segment.ts'
import type { IndexedChunk, StoredSegment } from './retrieval.ts'

export type SpaceVersion = {
  id: Id<'knowledgeSpaces'>
  version: number
  embeddingModel: string | null
  /** How far that model is to be trusted here; null: not known. */
  embeddingTrust: number | null
  disabledSources: KnowledgeSource[]
  enough: Enough
  hasMarks: boolean
}
export type SegmentHead = { id: string; chunkCount: number; deleted: Uint8Array }
/** `chunkIds`: by local number. `isOutdated`: made by an older reading of words. */
export type SegmentContents = SegmentHead & { chunkIds: Id<'chunks'>[]; isOutdated: boolean }

/** The versions of those of the spaces that exist and were not removed, by id. */
export async function listVersions(ctx: OrgStoreContext, spaceIds: Id<'knowledgeSpaces'>[]): Promise<SpaceVersion[]> {
  if (spaceIds.length === 0) return []
  const rows = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', spaceIds)
    .where('deleted_at', 'is', null)
    .select([
      'id',
      'index_version',
      'embedding_model',
      'embedding_trust',
      'disabled_sources',
      'enough_words',
      'enough_meaning',
      'has_marks',
    ])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    version: row.index_version,
    embeddingModel: row.embedding_model,
    embeddingTrust: row.embedding_trust,
    disabledSources: row.disabled_sources,
    enough: { words: row.enough_words, meaning: row.enough_meaning },
    hasMarks: row.has_marks,
  }))
}

/** What a space's index consists of, oldest first, without the blobs. */
export async function listSegments(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>): Promise<SegmentHead[]> {
  const rows = await ctx.db
    .selectFrom('index_segments')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .select(['id', 'chunk_count', 'deleted'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, chunkCount: row.chunk_count, deleted: row.deleted }))
}

/** Which chunks are in which segment of a space, oldest first. Of the blobs only their beginnings are read. `except`: ids that are left out. */
export async function listContents(
  ctx: OrgStoreContext,
  spaceId: Id<'knowledgeSpaces'>,
  { except = [] }: { except?: string[] } = {},
): Promise<SegmentContents[]> {
  const rows = await ctx.db
    .selectFrom('index_segments')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .select(['id', 'chunk_count', 'deleted', 'words_version'])
    .select(
      sql<Uint8Array>`substring(blob from 1 for ${headLength(0)}::integer + chunk_count * ${ID_LENGTH}::integer)`.as(
        'head',
      ),
    )
    .$if(except.length > 0, (query) => query.where('id', 'not in', except))
    .orderBy('id')
    .execute()
  return rows.map(({ id, chunk_count: chunkCount, deleted, head, words_version: version }) => {
    return { id, chunkCount, deleted, chunkIds: chunkIdsOf(head, chunkCount), isOutdated: version < WORDS_VERSION }
  })
}

/** How many segments a space's index consists of. */
export async function countSegments(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>): Promise<number> {
  const row = await ctx.db
    .selectFrom('index_segments')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** @throws Error when the segment is gone: not within the transaction that listed it */
export async function getBlob(
  ctx: OrgStoreContext,
  spaceId: Id<'knowledgeSpaces'>,
  segmentId: string,
): Promise<Uint8Array> {
  const row = await ctx.db
    .selectFrom('index_segments')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('id', '=', segmentId)
    .select('blob')
    .executeTakeFirstOrThrow()
  return row.blob
}

/** Adds a segment and raises the space's version. */
export async function insertSegment(
  ctx: OrgStoreContext,
  spaceId: Id<'knowledgeSpaces'>,
  segment: StoredSegment & { chunkCount: number },
): Promise<void> {
  await ctx.db
    .insertInto('index_segments')
    .values({
      id: newId(),
      organization_id: ctx.organizationId,
      knowledge_space_id: spaceId,
      chunk_count: segment.chunkCount,
      blob: segment.blob,
      deleted: segment.deleted,
      words_version: WORDS_VERSION,
    })
    .execute()
  await raiseVersion(ctx, spaceId)
}

/** Spaces whose index was made, in part, by an older reading of words. For all organizations. */
export async function listOutdated(
  { db }: { db: Db },
  most: number,
): Promise<{ organizationId: Id<'organizations'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }[]> {
  return db
    .selectFrom('index_segments')
    .where('words_version', '<', WORDS_VERSION)
    .select(['organization_id as organizationId', 'knowledge_space_id as knowledgeSpaceId'])
    .distinct()
    .limit(most)
    .execute()
}

/** Replaces the deleted bitmap of a segment. */
export async function updateDeleted(ctx: OrgStoreContext, segmentId: string, deleted: Uint8Array): Promise<void> {
  await ctx.db
    .updateTable('index_segments')
    .set({ deleted })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', segmentId)
    .execute()
}

export async function deleteSegments(ctx: OrgStoreContext, segmentIds: string[]): Promise<void> {
  if (segmentIds.length === 0) return
  await ctx.db
    .deleteFrom('index_segments')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', segmentIds)
    .execute()
}

/** Tells every server that the space's index has changed. */
export async function raiseVersion(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>): Promise<void> {
  await ctx.db
    .updateTable('knowledge_spaces')
    .set((eb) => ({ index_version: eb('index_version', '+', 1), updated_at: new Date() }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', spaceId)
    .execute()
}

/** Ids of all chunks that should be in a space's index: those of tables are enabled when they are ready. */
export async function listIndexedChunkIds(
  ctx: OrgStoreContext,
  spaceId: Id<'knowledgeSpaces'>,
): Promise<Set<Id<'chunks'>>> {
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('is_enabled', '=', true)
    .select('id')
    .orderBy('id')
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** What the index needs of some chunks, in the order in which they were cut. */
export async function listChunksForIndex(ctx: OrgStoreContext, chunkIds: Id<'chunks'>[]): Promise<IndexedChunk[]> {
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', chunkIds)
    .select(['id', 'title', 'heading_path', 'body', 'also_asked_as', 'generated_questions'])
    .orderBy('source_id')
    .orderBy('ordinal')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    headingPath: row.heading_path,
    body: row.body,
    alsoAskedAs: [...row.also_asked_as, ...(row.generated_questions ?? [])],
  }))
}
