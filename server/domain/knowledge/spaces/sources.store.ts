// SQL for what chunks belong to, whatever kind it is of.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { ChunkSource, SourceKind } from '#shared/knowledge/chunks.ts'
import { fileNameOf } from '../tables/tables.sheets.rules.ts'

const TABLES = {
  document: 'documents',
  fragment: 'fragments',
  table: 'knowledge_tables',
} as const satisfies Record<SourceKind, string>

/** @throws AppError not_found, also in a space that was removed */
export async function findSource(ctx: OrgStoreContext, id: string): Promise<ChunkSource> {
  for (const kind of ['document', 'fragment', 'table'] as const) {
    const row = await ctx.db
      .selectFrom(TABLES[kind])
      .innerJoin('knowledge_spaces', (join) =>
        join
          .onRef('knowledge_spaces.id', '=', `${TABLES[kind]}.knowledge_space_id`)
          .on('knowledge_spaces.organization_id', '=', ctx.organizationId),
      )
      .where(`${TABLES[kind]}.organization_id`, '=', ctx.organizationId)
      .where(`${TABLES[kind]}.id`, '=', id as Id<'documents'> & Id<'fragments'> & Id<'tables'>)
      .where('knowledge_spaces.deleted_at', 'is', null)
      .select([`${TABLES[kind]}.name`, 'knowledge_spaces.id as spaceId', 'knowledge_spaces.name as spaceName'])
      .select('knowledge_spaces.slug')
      .executeTakeFirst()
    if (row) {
      const { name, spaceId, spaceName, slug } = row
      const url = kind === 'document' ? await findAddress(ctx, id as Id<'documents'>) : null
      const hasFile = kind !== 'fragment' && url === null
      return { kind, name, knowledgeSpaceId: spaceId, spaceName, spaceSlug: slug, url, hasFile }
    }
  }
  throw new AppError('not_found')
}

/** The stored file of a document or a table, and what it was called. @throws AppError not_found, also in a space that was removed, and for what is no file */
export async function findOriginal(ctx: OrgStoreContext, id: string): Promise<{ fileKey: string; name: string }> {
  const { kind, hasFile } = await findSource(ctx, id)
  if (!hasFile) throw new AppError('not_found')
  if (kind === 'table') {
    const row = await ctx.db
      .selectFrom('knowledge_tables')
      .where('organization_id', '=', ctx.organizationId)
      .where('id', '=', id as Id<'tables'>)
      .select(['file_key', 'name', 'sheet'])
      .executeTakeFirstOrThrow()
    return { fileKey: row.file_key, name: fileNameOf(row) }
  }
  const row = await ctx.db
    .selectFrom('documents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id as Id<'documents'>)
    .select(['file_key', 'name'])
    .executeTakeFirstOrThrow()
  return { fileKey: row.file_key, name: row.name }
}

/** Of the page from which a document was made. */
async function findAddress(ctx: OrgStoreContext, documentId: Id<'documents'>): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('site_pages')
    .where('organization_id', '=', ctx.organizationId)
    .where('document_id', '=', documentId)
    .select('url')
    .executeTakeFirst()
  return row?.url ?? null
}
