// Documents: uploaded files and their state. The upload itself is in documents.http.ts, the processing in documents.ingest.ts.

import { isEncoding } from '#server/domain/knowledge/search/parsers/encoding/encoding.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import {
  browseDocumentsInput,
  chooseEncodingInput,
  countDocumentsInput,
  type DocumentStatus,
  documentInput,
  documentsInput,
  findNamedInput,
  includeHiddenInput,
} from '#shared/knowledge/knowledge.ts'
import { noArgs } from '#shared/schema.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import { browseDocuments, countDocuments, findNamed as findNamedDocuments } from './documents.browse.store.ts'
import { ingestLater } from './documents.ingest.ts'
import { dropWarnings, readOtherwise } from './documents.reading.store.ts'
import { displayName } from './documents.rules.ts'
import { discardStaged } from './documents.staging.store.ts'
import * as store from './documents.store.ts'
import { getDocument, removeDocument } from './documents.write.ts'

/** In which states a document can be read in another way. */
const READABLE: DocumentStatus[] = ['error', 'ready']

/** All documents of a space at once, newest first: for programs; people look through `browse`. @throws not_found */
export const list = orgQuery({
  args: documentsInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listDocuments(ctx, knowledgeSpaceId)
  },
})

/** The documents of a space page by page, searched, filtered and sorted. @throws not_found */
export const browse = orgQuery({
  args: browseDocumentsInput,
  handler: async (ctx, { sort = 'newest', paginationOpts, ...filter }) => {
    await assertSpace(ctx, filter.knowledgeSpaceId)
    return browseDocuments(ctx, filter, sort, paginationOpts)
  },
})

/** How many documents `browse` finds. @throws not_found */
export const count = orgQuery({
  args: countDocumentsInput,
  handler: async (ctx, filter) => {
    await assertSpace(ctx, filter.knowledgeSpaceId)
    return countDocuments(ctx, filter)
  },
})

/**
 * For each file name the document that already has it, ignoring case, and that the file could replace: the newest of several; null where
 * there is none.
 * @throws not_found
 */
export const findNamed = orgQuery({
  args: findNamedInput,
  handler: async (ctx, { knowledgeSpaceId, names }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return findNamedDocuments(ctx, knowledgeSpaceId, names.map(displayName))
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

/** Stops the processing of a document; its worker is killed, and its previous content stays. @throws not_found, document_not_cancellable */
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

/**
 * Reads a document in the encoding that a person has chosen; one that was read in another can be chosen for again.
 *
 * @throws not_found, invalid_arguments for an encoding that is none, document_not_retryable while it is uploaded or processed
 */
export const chooseEncoding = orgMutation({
  args: chooseEncodingInput,
  handler: async (ctx, { documentId, encoding }) => {
    if (!isEncoding(encoding)) throw new AppError('invalid_arguments', { path: 'encoding' })
    await getDocument(ctx, documentId)
    const isTaken = await readOtherwise(ctx, documentId, { encoding, from: READABLE, now: ctx.now })
    if (!isTaken) throw new AppError('document_not_retryable')
    await ingestLater(ctx, documentId)
  },
})

/** Reads a document with what its author has hidden, or without. @throws not_found, document_not_retryable while it is uploaded or processed */
export const includeHidden = orgMutation({
  args: includeHiddenInput,
  handler: async (ctx, { documentId, includesHidden }) => {
    await getDocument(ctx, documentId)
    const reading = { includes_hidden: includesHidden, from: READABLE, now: ctx.now }
    const isTaken = await readOtherwise(ctx, documentId, reading)
    if (!isTaken) throw new AppError('document_not_retryable')
    await ingestLater(ctx, documentId)
  },
})

/** Keeps a document whose content another one has, too: it is not warned of any more. @throws not_found */
export const keepBoth = orgMutation({
  args: documentInput,
  handler: async (ctx, { documentId }) => {
    await getDocument(ctx, documentId)
    await dropWarnings(ctx, documentId, 'same_file')
  },
})

/** Deletes a document with its chunks and its file. It is not found from the commit on. @throws not_found */
export const remove = orgMutation({
  args: documentInput,
  handler: (ctx, { documentId }) => removeDocument(ctx, documentId),
})
