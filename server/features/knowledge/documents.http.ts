// POST /api/files/documents?knowledgeSpaceId=…&name=… — takes the raw body of one file and answers 201 with the document.
// Streamed to the file store while counting; nothing is kept of an upload that is refused or breaks off.
import { Hono } from 'hono'
import { newId } from '#server/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { DocumentFormat, KnowledgeDocument } from '#shared/knowledge.ts'
import { DOCUMENT_MAX_BYTES } from '#shared/limits.ts'
import { ingestLater } from './documents.ingest.ts'
import { formatOf } from './documents.rules.ts'
import * as store from './documents.store.ts'
import { type AdmittedFile, admitFile, answerUpload, type FindCaller, type UploadServices } from './uploads.http.ts'

/** Between two signs of life of an upload, milliseconds. */
const TOUCH_EVERY_MS = 30_000

/** The upload route. */
export function documentRoutes(services: UploadServices, callerOf: FindCaller): Hono {
  const routes = new Hono()
  routes.post('/api/files/documents', (c) =>
    answerUpload(c, async () => {
      const caller = await callerOf(c.req.raw)
      return upload(services, await admitFile(services, caller, c, { maxBytes: DOCUMENT_MAX_BYTES, formatOf }))
    }),
  )
  return routes
}

async function upload(
  services: UploadServices,
  { organizationId, body, ...file }: AdmittedFile<DocumentFormat>,
): Promise<KnowledgeDocument> {
  const id = newId('documents')
  const document = { ...file, id, fileKey: id }
  const { database, files, jobs } = services
  const write = <T>(run: (ctx: store.UploadContext) => Promise<T>) =>
    database.organization(organizationId, (db) => run({ db, organizationId, jobs }))
  await write((ctx) => store.insertDocument(ctx, document, new Date()))
  const touching = setInterval(() => {
    write((ctx) => store.touchUpload(ctx, document.id, new Date())).catch(() => {}) // the next one may succeed
  }, TOUCH_EVERY_MS)
  try {
    const { sizeBytes } = await files.put(document.fileKey, body, DOCUMENT_MAX_BYTES)
    return await write(async (ctx) => {
      const isWanted = await store.startProcessing(ctx, document.id, 'uploading', { now: new Date(), sizeBytes })
      if (!isWanted) throw new AppError('not_found') // removed while it was sent
      await ingestLater(ctx, document.id)
      return store.getDocument(ctx, document.id)
    })
  } catch (error) {
    await files.remove(document.fileKey)
    await write((ctx) => store.deleteDocument(ctx, document.id))
    throw error
  } finally {
    clearInterval(touching)
  }
}
