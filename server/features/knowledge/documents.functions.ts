// Documents: uploaded files and what became of them. The upload itself is in documents.http.ts, the processing in documents.ingest.ts.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { documentInput, documentsInput } from '#shared/knowledge.ts'
import { noArgs } from '#shared/schema.ts'
import { ingestLater } from './documents.ingest.ts'
import { discardStaged } from './documents.staging.store.ts'
import * as store from './documents.store.ts'
import { getDocument, removeDocument } from './documents.write.ts'
import { assertSpace } from './spaces.store.ts'

/** All documents of a space, newest first. @throws not_found */
export const list = orgQuery({
  args: documentsInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listDocuments(ctx, knowledgeSpaceId)
  },
})

/** Documents of all spaces that are being uploaded or processed, and those that came to an end last. */
export const listWork = orgQuery({
  args: noArgs,
  handler: (ctx) => store.listWork(ctx),
})

/** @throws not_found */
export const get = orgQuery({
  args: documentInput,
  handler: (ctx, { documentId }) => getDocument(ctx, documentId),
})

/** Stops the processing of a document; its worker is killed, and what was found of it before stays. @throws not_found, document_not_cancellable */
export const cancel = orgMutation({
  args: documentInput,
  handler: async (ctx, { documentId }) => {
    await getDocument(ctx, documentId)
    const wasProcessing = await store.failProcessing(ctx, documentId, 'cancelled', ctx.now)
    if (!wasProcessing) throw new AppError('document_not_cancellable')
    await discardStaged(ctx, documentId)
  },
})

/** Processes a document in state error again. @throws not_found, document_not_retryable */
export const retry = orgMutation({
  args: documentInput,
  handler: async (ctx, { documentId }) => {
    await getDocument(ctx, documentId)
    const wasError = await store.startProcessing(ctx, documentId, 'error', { now: ctx.now })
    if (!wasError) throw new AppError('document_not_retryable')
    await ingestLater(ctx, documentId)
  },
})

/** Deletes a document with its chunks and its file. It is not found from the commit on. @throws not_found */
export const remove = orgMutation({
  args: documentInput,
  handler: (ctx, { documentId }) => removeDocument(ctx, documentId),
})
