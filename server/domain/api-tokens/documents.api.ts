// /api/v1/spaces/:spaceId/documents and /api/v1/documents/:documentId — files as raw request bodies, named by `?name=`.
import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { browseDocuments } from '#server/domain/knowledge/documents/documents.browse.store.ts'
import type { NewContent } from '#server/domain/knowledge/documents/documents.replace.store.ts'
import { assertRawBody, displayName, formatOf } from '#server/domain/knowledge/documents/documents.rules.ts'
import {
  addDocument,
  getDocument,
  removeDocument,
  replaceDocument,
} from '#server/domain/knowledge/documents/documents.write.ts'
import { keepFile } from '#server/domain/knowledge/documents/files/files.keep.ts'
import { assertSpace } from '#server/domain/knowledge/spaces/spaces.store.ts'
import type { FileStore } from '#server/platform/files/files.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeDocument } from '#shared/knowledge/knowledge.ts'
import { DOCUMENT_MAX_BYTES } from '#shared/limits.ts'
import type { ApiWrite } from './once.ts'
import { type ApiEnv, answerWrite, REPLAYED, readPage } from './request.ts'

type Write = (ctx: ApiWrite, content: NewContent) => Promise<KnowledgeDocument>

/** Adds the routes. */
export function documentApi(api: Hono<ApiEnv>, files: FileStore): void {
  api.get('/spaces/:spaceId/documents', async (c) => {
    const spaceId = c.req.param('spaceId') as Id<'knowledgeSpaces'>
    const page = await c.var.call.read(async (ctx) => {
      await assertSpace(ctx, spaceId)
      return browseDocuments(ctx, { knowledgeSpaceId: spaceId }, 'newest', readPage(c))
    })
    return c.json({ items: page.page, nextCursor: page.isDone ? null : page.continueCursor })
  })

  api.post('/spaces/:spaceId/documents', async (c) => {
    const spaceId = c.req.param('spaceId') as Id<'knowledgeSpaces'>
    await c.var.call.read((ctx) => assertSpace(ctx, spaceId))
    return receive(c, files, (ctx, content) => addDocument(ctx, spaceId, { ...content, id: newId('documents') }))
  })

  api.get('/documents/:documentId', async (c) => {
    return c.json(await c.var.call.read((ctx) => getDocument(ctx, documentIdOf(c))))
  })

  api.put('/documents/:documentId', async (c) => {
    await c.var.call.read((ctx) => getDocument(ctx, documentIdOf(c)))
    return receive(c, files, (ctx, content) => replaceDocument(ctx, documentIdOf(c), content))
  })

  api.delete('/documents/:documentId', (c) =>
    answerWrite(c, '', async (ctx) => {
      await removeDocument(ctx, documentIdOf(c))
      return { status: 200, body: { removed: true } }
    }),
  )
}

function documentIdOf(c: Context<ApiEnv>): Id<'documents'> {
  return (c.req.param('documentId') ?? '') as Id<'documents'>
}

/** Stores the file, then lets `write` make it a document's content. Of a request that is refused or repeated no file is kept. */
async function receive(c: Context<ApiEnv>, files: FileStore, write: Write): Promise<Response> {
  assertRawBody(c.req.header('content-type'))
  const name = displayName(c.req.query('name') ?? '')
  if (!name) throw new AppError('invalid_arguments', { path: 'name' })
  const format = formatOf(name)
  if (!format) throw new AppError('unsupported_format')
  const body = c.req.raw.body
  if (!body) throw new AppError('file_empty')
  const fileKey = newId('documents')
  const hash = createHash('sha256')
  const file = { key: fileKey, body: body.pipeThrough(watching(hash)), maxBytes: DOCUMENT_MAX_BYTES }
  return keepFile(files, file, async (sizeBytes) => {
    const answer = await answerWrite(c, hash.digest('base64url'), async (ctx) => {
      return { status: 202, body: await write(ctx, { name, format, fileKey, sizeBytes }) }
    })
    return { result: answer, isNamed: !answer.headers.has(REPLAYED) }
  })
}

function watching(hash: ReturnType<typeof createHash>): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      hash.update(chunk)
      controller.enqueue(chunk)
    },
  })
}
