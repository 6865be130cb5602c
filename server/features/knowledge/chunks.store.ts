// SQL for chunks: what documents and fragments are cut into.
import type { Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { ChunksTable } from '#server/db/tables/knowledge.ts'
import { type Page, paginate } from '#server/functions/paginate.ts'
import type { Id } from '#shared/ids.ts'
import type { Chunk, SourceKind } from '#shared/knowledge.ts'
import type { PaginationOpts } from '#shared/schema.ts'

/** What the chunks of one document or fragment have in common. */
export type ChunkSource = {
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  kind: SourceKind
  id: string
  title: string
  alsoAskedAs: string[]
}
export type NewChunk = {
  id: Id<'chunks'>
  ordinal: number
  headingPath: string[]
  body: string
  page: number | null
  startOffset: number
  endOffset: number
  tokens: number
  contentHash: string
}

/** The chunks of one document, in reading order. */
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
        start_offset: chunk.startOffset,
        end_offset: chunk.endOffset,
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

function toChunk(row: Selectable<ChunksTable>): Chunk {
  return {
    _id: row.id,
    documentId: row.source_id,
    content: row.body,
    headingPath: row.heading_path,
    chunkIndex: row.ordinal,
    page: row.page,
    tokens: row.token_count,
  }
}
