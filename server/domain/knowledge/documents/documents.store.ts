// SQL for documents. What their processing writes is in documents.ingest.store.ts.
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Tables } from '#server/platform/db/tables/database.ts'
import type { DocumentsTable } from '#server/platform/db/tables/knowledge.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type {
  DocumentErrorReason,
  DocumentFormat,
  DocumentWork,
  KnowledgeDocument,
} from '#shared/knowledge/knowledge.ts'
import { toMarks } from './source-metadata.store.ts'
import { countUnlisted, ENDED_LISTED, UNFINISHED_LISTED } from './work.rules.ts'

type DocumentId = Id<'documents'>

export type NewDocument = {
  id: DocumentId
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  format: DocumentFormat
  fileKey: string
}

/** All documents of a space, newest first. */
export async function listDocuments(
  ctx: OrgStoreContext,
  spaceId: Id<'knowledgeSpaces'>,
): Promise<KnowledgeDocument[]> {
  const rows = await documents(ctx)
    .where('knowledge_space_id', '=', spaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .selectAll()
    .select((eb) => isSitePage(ctx, eb))
    .execute()
  return rows.map(toDocument)
}

/** Of all spaces, newest first. */
export async function listWork(ctx: OrgStoreContext): Promise<DocumentWork> {
  const going = work(ctx).where('documents.status', 'in', ['uploading', 'processing'])
  const unfinished = await going.orderBy('documents.created_at', 'desc').limit(UNFINISHED_LISTED).execute()
  const ended = await work(ctx)
    .where('documents.status', 'in', ['ready', 'error'])
    .orderBy('documents.updated_at', 'desc')
    .limit(ENDED_LISTED)
    .execute()
  const unlisted = await countUnlisted(unfinished.length, () => countRows(going))
  return { unfinished: unfinished.map(toItem), unlisted, ended: ended.map(toItem) }
}

/** @throws AppError not_found */
export async function getDocument(ctx: OrgStoreContext, id: DocumentId): Promise<KnowledgeDocument> {
  const row = await documents(ctx)
    .where('id', '=', id)
    .selectAll()
    .select((eb) => isSitePage(ctx, eb))
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toDocument(row)
}

/** Keys of the stored files of a space. */
export async function listFileKeys(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>): Promise<string[]> {
  const rows = await documents(ctx).where('knowledge_space_id', '=', spaceId).select('file_key').execute()
  return rows.map((row) => row.file_key)
}

/** Adds a document whose content is on its way. */
export async function insertDocument(ctx: OrgStoreContext, document: NewDocument, now: Date): Promise<void> {
  await ctx.db
    .insertInto('documents')
    .values({
      id: document.id,
      organization_id: ctx.organizationId,
      knowledge_space_id: document.knowledgeSpaceId,
      name: document.name,
      format: document.format,
      size_bytes: 0,
      file_key: document.fileKey,
      status: 'uploading',
      error_reason: null,
      warnings: '[]',
      page_count: null,
      heartbeat_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/**
 * Locks a document: first the page of a site that it was made from, then itself; its chunks come after it. Every transaction that locks
 * more than one of them uses this order.
 */
export async function lockDocument(ctx: OrgStoreContext, id: DocumentId): Promise<void> {
  await ctx.db
    .selectFrom('site_pages')
    .where('organization_id', '=', ctx.organizationId)
    .where('document_id', '=', id)
    .select('id')
    .orderBy('id')
    .forUpdate()
    .execute()
  await documents(ctx).where('id', '=', id).select('id').forUpdate().execute()
}

/** Records a heartbeat of the upload. */
export async function touchUpload(ctx: OrgStoreContext, id: DocumentId, now: Date): Promise<void> {
  await ctx.db
    .updateTable('documents')
    .set({ heartbeat_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'uploading')
    .execute()
}

/** From uploading, or from error for another try, to processing: waits for a worker. @returns whether it was in that state */
export async function startProcessing(
  ctx: OrgStoreContext,
  id: DocumentId,
  from: 'uploading' | 'error',
  change: { now: Date; sizeBytes?: number },
): Promise<boolean> {
  const changed = await ctx.db
    .updateTable('documents')
    .set({
      status: 'processing',
      progress: 0,
      error_reason: null,
      error_at: null,
      encoding_choices: null,
      heartbeat_at: null,
      updated_at: change.now,
      ...(change.sizeBytes !== undefined && { size_bytes: change.sizeBytes }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** From processing to error; its worker may write no more. @returns whether it was being processed */
export async function failProcessing(
  ctx: OrgStoreContext,
  id: DocumentId,
  reason: DocumentErrorReason,
  now: Date,
): Promise<boolean> {
  const changed = await ctx.db
    .updateTable('documents')
    .set((eb) => ({
      status: 'error',
      error_reason: reason,
      attempt: eb('attempt', '+', 1),
      heartbeat_at: null,
      updated_at: now,
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Deletes the row alone. @returns the key of its file; undefined when there was no such document */
export async function deleteDocument(ctx: OrgStoreContext, id: DocumentId): Promise<string | undefined> {
  const deleted = await ctx.db
    .deleteFrom('documents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('file_key')
    .executeTakeFirst()
  return deleted?.file_key
}

function work(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('documents')
    .innerJoin('knowledge_spaces', (join) =>
      join
        .onRef('knowledge_spaces.id', '=', 'documents.knowledge_space_id')
        .on('knowledge_spaces.organization_id', '=', ctx.organizationId),
    )
    .where('documents.organization_id', '=', ctx.organizationId)
    .where('knowledge_spaces.deleted_at', 'is', null)
    .select(['documents.id', 'documents.name', 'documents.status', 'documents.progress', 'documents.error_reason'])
    .select(['knowledge_spaces.slug', 'knowledge_spaces.name as space_name'])
}

async function countRows(query: ReturnType<typeof work>): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type WorkRow = Awaited<ReturnType<ReturnType<typeof work>['executeTakeFirstOrThrow']>>

function toItem(row: WorkRow): DocumentWork['ended'][number] {
  return {
    _id: row.id,
    name: row.name,
    status: row.status,
    progress: row.progress,
    errorReason: row.error_reason,
    spaceSlug: row.slug,
    spaceName: row.space_name,
  }
}

function documents(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('documents').where('organization_id', '=', ctx.organizationId)
}

/** Whether a document was made from a page of a site, by which its content comes. */
export function isSitePage(ctx: OrgStoreContext, eb: ExpressionBuilder<Tables, 'documents'>) {
  return eb
    .exists(
      eb
        .selectFrom('site_pages')
        .where('site_pages.organization_id', '=', ctx.organizationId)
        .whereRef('site_pages.document_id', '=', 'documents.id')
        .select('site_pages.id'),
    )
    .$castTo<boolean>()
    .as('is_site_page')
}

type DocumentRow = Selectable<DocumentsTable> & { is_site_page: boolean }

/** The shape that clients receive. */
export function toDocument(row: DocumentRow): KnowledgeDocument {
  return {
    _id: row.id,
    ...toMarks(row),
    knowledgeSpaceId: row.knowledge_space_id,
    name: row.name,
    format: row.format,
    sizeBytes: Number(row.size_bytes),
    status: row.status,
    progress: row.progress,
    errorReason: row.error_reason,
    errorAt: row.error_at,
    encodingChoices: row.encoding_choices,
    encoding: row.encoding,
    includesHidden: row.includes_hidden,
    warnings: row.warnings,
    servesEarlier: row.status !== 'ready' && row.chunk_count > 0,
    chunks: row.chunk_count,
    tokens: row.token_count,
    pages: row.page_count,
    rows: row.row_count,
    columns: row.column_count,
    sheets: row.sheet_count,
    isSitePage: row.is_site_page,
    uploadedAt: row.created_at.getTime(),
    replacedAt: row.replaced_at?.getTime() ?? null,
  }
}
