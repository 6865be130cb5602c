// Adding, replacing and removing documents whose file is stored already. Each within the caller's transaction.

import { tidyLater } from '#server/domain/knowledge/search/add-chunks.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeDocument } from '#shared/knowledge/knowledge.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import type { WriteContext } from '../spaces/writes.ts'
import { deleteChunks } from './chunks/chunks.store.ts'
import { ingestLater } from './documents.ingest.ts'
import { type NewContent, replaceContent } from './documents.replace.store.ts'
import * as store from './documents.store.ts'
import { removeFilesLater } from './files/files.job.ts'

type DocumentId = Id<'documents'>

/** Adds a document and queues its processing. @throws AppError not_found for the space */
export async function addDocument(
  ctx: WriteContext,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  { sizeBytes, ...file }: NewContent & { id: DocumentId },
): Promise<KnowledgeDocument> {
  await assertSpace(ctx, knowledgeSpaceId)
  await store.insertDocument(ctx, { ...file, knowledgeSpaceId }, ctx.now)
  await store.startProcessing(ctx, file.id, 'uploading', { now: ctx.now, sizeBytes })
  await ingestLater(ctx, file.id)
  return store.getDocument(ctx, file.id)
}

/**
 * Gives a document another content. Until that is processed the old one is found.
 *
 * @throws AppError not_found; conflict while the document is being uploaded
 */
export async function replaceDocument(
  ctx: WriteContext,
  id: DocumentId,
  content: NewContent,
): Promise<KnowledgeDocument> {
  await store.lockDocument(ctx, id)
  const { status } = await getDocument(ctx, id)
  if (status === 'uploading') throw new AppError('conflict')
  const oldFile = await replaceContent(ctx, id, content, ctx.now)
  await removeFilesLater(ctx, [oldFile])
  await ingestLater(ctx, id)
  return store.getDocument(ctx, id)
}

/**
 * That a document may get another content by hand.
 *
 * @throws AppError not_found, also when it is in another space; document_of_site; document_busy while it is uploaded or processed
 */
export async function assertReplaceable(
  ctx: OrgStoreContext,
  id: DocumentId,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
): Promise<void> {
  const document = await getDocument(ctx, id)
  if (document.knowledgeSpaceId !== knowledgeSpaceId) throw new AppError('not_found')
  if (document.isSitePage) throw new AppError('document_of_site')
  if (document.status === 'uploading' || document.status === 'processing') throw new AppError('document_busy')
}

/** Deletes a document with its chunks and its file. It is not found from the commit on. @throws AppError not_found */
export function removeDocument(ctx: WriteContext, id: DocumentId): Promise<void> {
  return removeDocuments(ctx, [id])
}

/** Deletes documents as `removeDocument` does one, none or all of them. @throws AppError not_found */
export async function removeDocuments(ctx: WriteContext, ids: DocumentId[]): Promise<void> {
  const spaces = new Set<Id<'knowledgeSpaces'>>()
  const files: string[] = []
  for (const id of ids) {
    await store.lockDocument(ctx, id)
    const { knowledgeSpaceId } = await getDocument(ctx, id)
    const fileKey = await store.deleteDocument(ctx, id)
    await deleteChunks(ctx, knowledgeSpaceId, id)
    spaces.add(knowledgeSpaceId)
    if (fileKey) files.push(fileKey)
  }
  await removeFilesLater(ctx, files)
  for (const space of [...spaces].sort()) await tidyLater(ctx, space)
}

/** Not of a space that was removed. @throws AppError not_found */
export async function getDocument(ctx: OrgStoreContext, id: DocumentId): Promise<KnowledgeDocument> {
  const document = await store.getDocument(ctx, id)
  await assertSpace(ctx, document.knowledgeSpaceId)
  return document
}
