// SQL for chunks: what documents and fragments are cut into.
import type { Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ChunksTable } from '#server/platform/db/tables/knowledge.ts'
import { type Page, paginate } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Chunk, ChunkPlace, SourceKind } from '#shared/knowledge/chunks.ts'
import type { PaginationOpts } from '#shared/schema.ts'

export type StoredChunk = Selectable<ChunksTable>
/** Common properties of the chunks of one document, fragment or table. */
export type ChunkSource = {
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  kind: SourceKind
  id: string
  title: string
  alsoAskedAs: string[]
  /** Of tables: the chunks are not found until their import is ready. */
  importStatus?: 'pending'
}
export type NewChunk = ChunkPlace & {
  id: Id<'chunks'>
  ordinal: number
  headingPath: string[]
  body: string
  startOffset: number
  endOffset: number
  tokens: number
  contentHash: string
}

/** The chunks of one document or fragment, in reading order. */
export function listChunks(
  ctx: OrgStoreContext,
  source: { spaceId: Id<'knowledgeSpaces'>; id: string },
  opts: PaginationOpts,
): Promise<Page<Chunk>> {
  const query = ctx.db
    .selectFrom('chunks')
    .selectAll()
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', source.spaceId)
    .where('source_id', '=', source.id)
  return paginate(ctx, query, opts, { by: [['ordinal', 'integer']], direction: 'asc' }, toChunk)
}

export async function insertChunks(ctx: OrgStoreContext, source: ChunkSource, chunks: NewChunk[]): Promise<void> {
  if (chunks.length === 0) return
  await ctx.db
    .insertInto('chunks')
    .values(
      chunks.map((chunk) => ({
        id: chunk.id,
        organization_id: ctx.organizationId,
        knowledge_space_id: source.knowledgeSpaceId,
        source_kind: source.kind,
        source_id: source.id,
        ordinal: chunk.ordinal,
        title: source.title,
        heading_path: JSON.stringify(chunk.headingPath),
        body: chunk.body,
        also_asked_as: JSON.stringify(source.alsoAskedAs),
        token_count: chunk.tokens,
        content_hash: chunk.contentHash,
        page: chunk.page,
        last_page: chunk.lastPage,
        sheet: chunk.sheet,
        first_row: chunk.firstRow,
        last_row: chunk.lastRow,
        start_offset: chunk.startOffset,
        end_offset: chunk.endOffset,
        ...(source.importStatus && { import_status: source.importStatus, is_enabled: false }),
      })),
    )
    .execute()
}

/** Deletes all chunks of one document or fragment. They are not found from the commit on. */
export async function deleteChunks(
  ctx: OrgStoreContext,
  spaceId: Id<'knowledgeSpaces'>,
  sourceId: string,
): Promise<void> {
  await ctx.db
    .deleteFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('source_id', '=', sourceId)
    .execute()
}

/** A stored chunk. @throws AppError not_found */
export async function getChunk(ctx: OrgStoreContext, id: Id<'chunks'>): Promise<StoredChunk> {
  const row = await ctx.db
    .selectFrom('chunks')
    .selectAll()
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Replaces a chunk by its changed version, under a new id: index and vector of the old text belong to the old id. */
export async function replaceChunk(
  ctx: OrgStoreContext,
  { id: oldId, former_ids, created_at, heading_path, also_asked_as, ...kept }: StoredChunk,
  change: Pick<StoredChunk, 'id' | 'body' | 'token_count' | 'content_hash' | 'is_enabled'>,
): Promise<Chunk> {
  await ctx.db.deleteFrom('chunks').where('organization_id', '=', ctx.organizationId).where('id', '=', oldId).execute()
  const row = await ctx.db
    .insertInto('chunks')
    .values({
      ...kept,
      ...change,
      heading_path: JSON.stringify(heading_path),
      also_asked_as: JSON.stringify(also_asked_as),
      former_ids: JSON.stringify([...former_ids, oldId]),
      generated_questions: null,
      created_at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toChunk(row)
}

/** What people see of it. */
export function toChunk(row: StoredChunk): Chunk {
  return {
    _id: row.id,
    documentId: row.source_id,
    content: row.body,
    headingPath: row.heading_path,
    chunkIndex: row.ordinal,
    tokens: row.token_count,
    isEnabled: row.is_enabled,
    formerIds: row.former_ids,
    page: row.page,
    lastPage: row.last_page,
    sheet: row.sheet,
    firstRow: row.first_row,
    lastRow: row.last_row,
  }
}

/** Questions that a passage answers, as a model has written them. Without effect where the passage is gone. */
export async function setGeneratedQuestions(
  ctx: OrgStoreContext,
  { spaceId, id }: { spaceId: Id<'knowledgeSpaces'>; id: Id<'chunks'> },
  questions: string[],
): Promise<void> {
  await ctx.db
    .updateTable('chunks')
    .set({ generated_questions: JSON.stringify(questions) })
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('id', '=', id)
    .execute()
}
