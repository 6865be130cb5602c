// SQL for the processing of documents. Each write names the attempt it belongs to: after a newer attempt, a cancellation or a
// deletion it changes nothing, and the worker learns that it is no longer wanted.

import type { FileExtent } from '#server/domain/knowledge/search/chunking/blocks.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type {
  DocumentErrorReason,
  DocumentFormat,
  DocumentWarning,
  EncodingChoice,
  PassageSize,
  TextPosition,
} from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'

/** One attempt at one document. */
export type Attempt = { documentId: Id<'documents'>; attempt: number }
export type Claimed = Attempt & {
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  format: DocumentFormat
  fileKey: string
  /** What its space cuts documents into at this time. */
  passages: PassageSize
  /** As people have chosen for it. */
  reading: { encoding: string | null; includeHidden: boolean }
}
export type Outcome =
  | {
      status: 'ready'
      chunkCount: number
      tokenCount: number
      extent: FileExtent
      /** What it was cut into. */
      passages: PassageSize
      /** Detected from its text; null: not detected. */
      language: SourceLanguage | null
      warnings: DocumentWarning[]
      fileHash: string
    }
  | { status: 'error'; reason: DocumentErrorReason; at: TextPosition | null; choices: EncodingChoice[] | null }

/**
 * Begins a new attempt; an older one that still runs is fenced off. Undefined when the document is not waiting to be processed. One that
 * was given up because no worker began, or because another server has its file, is taken up after all.
 */
export async function claimDocument(ctx: OrgStoreContext, documentId: Id<'documents'>): Promise<Claimed | undefined> {
  const row = await ctx.db
    .updateTable('documents')
    .from('knowledge_spaces as space')
    .set((eb) => ({
      ...{ status: 'processing', error_reason: null, progress: 0, heartbeat_at: new Date() },
      attempt: eb('documents.attempt', '+', 1),
    }))
    .where('documents.organization_id', '=', ctx.organizationId)
    .where('documents.id', '=', documentId)
    .where('space.organization_id', '=', ctx.organizationId)
    .whereRef('space.id', '=', 'documents.knowledge_space_id')
    .where((eb) =>
      eb.or([
        eb('documents.status', '=', 'processing'),
        eb.and([
          eb('documents.status', '=', 'error'),
          eb('documents.error_reason', 'in', ['not_started', 'file_elsewhere']),
        ]),
      ]),
    )
    .returning(['documents.attempt', 'documents.knowledge_space_id', 'documents.name', 'documents.format'])
    .returning(['documents.file_key', 'documents.encoding', 'documents.includes_hidden'])
    .returning(['space.passage_length', 'space.passage_overlap'])
    .executeTakeFirst()
  return (
    row && {
      documentId,
      attempt: row.attempt,
      knowledgeSpaceId: row.knowledge_space_id,
      name: row.name,
      format: row.format,
      fileKey: row.file_key,
      passages: { length: row.passage_length, overlap: row.passage_overlap },
      reading: { encoding: row.encoding, includeHidden: row.includes_hidden },
    }
  )
}

/** Records progress and a sign of life. @returns false when the attempt is no longer the current one */
export async function recordProgress(ctx: OrgStoreContext, attempt: Attempt, progress: number): Promise<boolean> {
  const row = await ofAttempt(ctx, attempt)
    .set({ progress, heartbeat_at: new Date() })
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** @returns whether the attempt is the current one */
export async function isCurrent(ctx: OrgStoreContext, { documentId, attempt }: Attempt): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('documents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', documentId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'processing')
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Leaves the document waiting for another attempt. */
export async function releaseAttempt(ctx: OrgStoreContext, attempt: Attempt): Promise<void> {
  await ofAttempt(ctx, attempt).set({ heartbeat_at: null, updated_at: new Date() }).execute()
}

/** Ends an attempt. @returns false when it is no longer the current one */
export async function finishAttempt(ctx: OrgStoreContext, attempt: Attempt, outcome: Outcome): Promise<boolean> {
  const now = new Date()
  const ended = { status: outcome.status, heartbeat_at: null, updated_at: now } as const
  const row = await ofAttempt(ctx, attempt)
    .set(
      outcome.status === 'error'
        ? {
            ...ended,
            error_reason: outcome.reason,
            error_at: outcome.at && JSON.stringify(outcome.at),
            encoding_choices: outcome.choices && JSON.stringify(outcome.choices),
          }
        : {
            ...ended,
            progress: 1,
            chunk_count: outcome.chunkCount,
            token_count: outcome.tokenCount,
            page_count: outcome.extent.pageCount,
            row_count: outcome.extent.rowCount ?? null,
            column_count: outcome.extent.columnCount ?? null,
            sheet_count: outcome.extent.sheetCount ?? null,
            text_language: outcome.language,
            passage_length: outcome.passages.length,
            passage_overlap: outcome.passages.overlap,
            warnings: JSON.stringify(outcome.warnings),
            content_hash: outcome.fileHash,
            encoding_choices: null,
          },
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The oldest other document of the same space with this content; none for a page of a site, and none that is one. */
export async function findSameFile(
  ctx: OrgStoreContext,
  { documentId, knowledgeSpaceId }: Claimed,
  fileHash: string,
): Promise<{ documentId: Id<'documents'>; name: string } | undefined> {
  const row = await ctx.db
    .selectFrom('documents')
    .where('documents.organization_id', '=', ctx.organizationId)
    .where('documents.knowledge_space_id', '=', knowledgeSpaceId)
    .where('documents.content_hash', '=', fileHash)
    .where('documents.id', '<>', documentId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('site_pages')
            .where('site_pages.organization_id', '=', ctx.organizationId)
            .where((page) =>
              page.or([
                page('site_pages.document_id', '=', documentId),
                page('site_pages.document_id', '=', page.ref('documents.id')),
              ]),
            )
            .select('site_pages.id'),
        ),
      ),
    )
    .orderBy('documents.created_at')
    .orderBy('documents.id')
    .select(['documents.id', 'documents.name'])
    .executeTakeFirst()
  return row && { documentId: row.id, name: row.name }
}

/** `waiting`: no worker has started on it. */
export type Stuck = {
  organizationId: Id<'organizations'>
  documentId: Id<'documents'>
  state: 'uploading' | 'processing' | 'waiting'
}

/** Documents of all organizations whose worker or uploader has given no sign of life, or that have waited for a worker, since then. */
export async function listStuck(ctx: StoreContext, since: { life: Date; waiting: Date }): Promise<Stuck[]> {
  const rows = await ctx.db
    .selectFrom('documents')
    .where('status', 'in', ['uploading', 'processing'])
    .where((eb) =>
      eb.or([
        eb('heartbeat_at', '<', since.life),
        eb.and([eb('heartbeat_at', 'is', null), eb('updated_at', '<', since.waiting)]),
      ]),
    )
    .select(['organization_id', 'id', 'status', 'heartbeat_at'])
    .execute()
  return rows.map((row) => ({
    organizationId: row.organization_id,
    documentId: row.id,
    state: row.status === 'uploading' ? 'uploading' : row.heartbeat_at ? 'processing' : 'waiting',
  }))
}

/** Whether a document of any organization has been worked on since then, or come to an end. */
export async function isAnyWorkedOn(ctx: StoreContext, since: Date): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('documents')
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'processing'), eb('heartbeat_at', '>=', since)]),
        eb.and([eb('status', 'in', ['ready', 'error']), eb('updated_at', '>=', since)]),
      ]),
    )
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function ofAttempt(ctx: OrgStoreContext, { documentId, attempt }: Attempt) {
  return ctx.db
    .updateTable('documents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', documentId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'processing')
}
