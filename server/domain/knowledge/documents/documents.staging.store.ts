// SQL for the next content of a document: its chunks are staged while they are stored, and replace the current ones in one step.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { NewChunk } from './chunks/chunks.store.ts'

type DocumentId = Id<'documents'>
type Content = { documentId: DocumentId; knowledgeSpaceId: Id<'knowledgeSpaces'>; name: string }

/** A searchable chunk, with what is needed to compare it with a new one. */
export type FoundChunk = { id: Id<'chunks'>; title: string; headingPath: string[]; contentHash: string }

/** Columns that a kept chunk takes over from the new content: its position there. */
const PLACE = ['ordinal', 'page', 'last_page', 'sheet', 'first_row', 'last_row', 'start_offset', 'end_offset'] as const
const TEXT = ['id', 'title', 'heading_path', 'body', 'token_count', 'content_hash'] as const

/** The searchable chunks of a document, in reading order. */
export async function listFound(ctx: OrgStoreContext, documentId: DocumentId): Promise<FoundChunk[]> {
  const rows = await chunksOf(ctx, documentId)
    .select(['id', 'title', 'heading_path', 'content_hash'])
    .orderBy('ordinal')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    headingPath: row.heading_path,
    contentHash: row.content_hash,
  }))
}

/** Puts chunks of the next content aside. */
export async function stageChunks(
  ctx: OrgStoreContext,
  { documentId, name }: Content,
  chunks: NewChunk[],
): Promise<void> {
  await ctx.db
    .insertInto('staged_chunks')
    .values(
      chunks.map((chunk) => ({
        organization_id: ctx.organizationId,
        document_id: documentId,
        ordinal: chunk.ordinal,
        id: chunk.id,
        title: name,
        heading_path: JSON.stringify(chunk.headingPath),
        body: chunk.body,
        token_count: chunk.tokens,
        content_hash: chunk.contentHash,
        page: chunk.page,
        last_page: chunk.lastPage,
        sheet: chunk.sheet,
        first_row: chunk.firstRow,
        last_row: chunk.lastRow,
        start_offset: chunk.startOffset,
        end_offset: chunk.endOffset,
      })),
    )
    .execute()
}

/** Deletes staged chunks; searchable ones stay. */
export async function discardStaged(ctx: OrgStoreContext, documentId: DocumentId): Promise<void> {
  await ctx.db
    .deleteFrom('staged_chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('document_id', '=', documentId)
    .execute()
}

/**
 * Makes the staged chunks the content of the document. A chunk whose id existed before is kept in its new position, also when a person has
 * hidden or shown it since; one whose text a person has edited is replaced. Hidden chunks stay hidden also where the document was renamed,
 * which changes the ids of its chunks.
 *
 * @returns whether chunks were removed
 */
export async function replaceChunks(ctx: OrgStoreContext, content: Content): Promise<boolean> {
  const { documentId } = content
  // Ordered by id, like the locks of those who write vectors and questions.
  await chunksOf(ctx, documentId).select('id').orderBy('id').forUpdate().execute()
  await followChunks(ctx, documentId)
  const hidden = await listHidden(ctx, documentId)
  const gone = await ctx.db
    .deleteFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('source_id', '=', documentId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('staged_chunks')
        .where('organization_id', '=', ctx.organizationId)
        .where('document_id', '=', documentId)
        .select('id'),
    )
    .executeTakeFirst()
  await moveChunks(ctx, documentId)
  await insertStaged(ctx, content, hidden)
  await discardStaged(ctx, documentId)
  return gone.numDeletedRows > 0n
}

/** What hidden chunks that give way say, as JSON: content hash and headings of each. */
async function listHidden(ctx: OrgStoreContext, documentId: DocumentId): Promise<string> {
  const rows = await chunksOf(ctx, documentId)
    .where('is_enabled', '=', false)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('staged_chunks')
        .where('organization_id', '=', ctx.organizationId)
        .where('document_id', '=', documentId)
        .select('id'),
    )
    .select(['content_hash', 'heading_path'])
    .execute()
  return JSON.stringify(rows.map(({ content_hash, heading_path }) => [content_hash, heading_path]))
}

/** Gives those put aside the ids that chunks of the same text have got since their ids were read. */
async function followChunks(ctx: OrgStoreContext, documentId: DocumentId): Promise<void> {
  await sql`update staged_chunks s set id = c.id
    from chunks c cross join lateral jsonb_array_elements_text(c.former_ids) as former(id)
    where s.organization_id = ${ctx.organizationId} and s.document_id = ${documentId}
      and c.organization_id = ${ctx.organizationId} and c.source_id = ${documentId}
      and s.id = former.id and s.content_hash = c.content_hash`.execute(ctx.db)
}

/** Those that stay, to where the new content has them. */
async function moveChunks(ctx: OrgStoreContext, documentId: DocumentId): Promise<void> {
  const columns = (table: string) => sql.join(PLACE.map((column) => sql.ref(`${table}.${column}`)))
  await ctx.db
    .updateTable('chunks')
    .from('staged_chunks as s')
    .set((eb) => ({
      ordinal: eb.ref('s.ordinal'),
      page: eb.ref('s.page'),
      last_page: eb.ref('s.last_page'),
      sheet: eb.ref('s.sheet'),
      first_row: eb.ref('s.first_row'),
      last_row: eb.ref('s.last_row'),
      start_offset: eb.ref('s.start_offset'),
      end_offset: eb.ref('s.end_offset'),
    }))
    .where('chunks.organization_id', '=', ctx.organizationId)
    .where('s.organization_id', '=', ctx.organizationId)
    .where('s.document_id', '=', documentId)
    .whereRef('s.id', '=', 'chunks.id')
    .where(sql<boolean>`(${columns('s')}) is distinct from (${columns('chunks')})`)
    .execute()
}

async function insertStaged(
  ctx: OrgStoreContext,
  { documentId, knowledgeSpaceId }: Content,
  hidden: string,
): Promise<void> {
  await ctx.db
    .insertInto('chunks')
    .columns(['knowledge_space_id', 'source_kind', 'source_id', 'also_asked_as', 'is_enabled', ...TEXT, ...PLACE])
    .expression((eb) =>
      eb
        .selectFrom('staged_chunks as s')
        .where('s.organization_id', '=', ctx.organizationId)
        .where('s.document_id', '=', documentId)
        .where((here) =>
          here.not(
            here.exists(
              here
                .selectFrom('chunks as c')
                .where('c.organization_id', '=', ctx.organizationId)
                .whereRef('c.id', '=', 's.id')
                .select('c.id'),
            ),
          ),
        )
        .select([
          sql<string>`${knowledgeSpaceId}::text`.as('knowledge_space_id'),
          sql<string>`'document'`.as('source_kind'),
          's.document_id',
          sql<string>`'[]'::jsonb`.as('also_asked_as'),
          sql<boolean>`not exists (
            select from jsonb_array_elements(${hidden}::jsonb) as hidden(chunk)
            where hidden.chunk->>0 = s.content_hash and hidden.chunk->1 = s.heading_path
          )`.as('is_enabled'),
          ...TEXT.map((column) => `s.${column}` as const),
          ...PLACE.map((column) => `s.${column}` as const),
        ]),
    )
    .execute()
}

function chunksOf(ctx: OrgStoreContext, documentId: DocumentId) {
  return ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('source_id', '=', documentId)
}
