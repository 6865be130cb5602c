// POST /api/files/documents?knowledgeSpaceId=…&name=… — takes the raw body of one file and answers 201 with the document.
// Streamed to the file store while counting; nothing is kept of an upload that is refused or breaks off.
import { type Context, Hono } from 'hono'
import type { Caller } from '#server/functions/context.ts'
import type { Services } from '#server/functions/services.ts'
import { newId } from '#server/lib/ids.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeDocument } from '#shared/knowledge.ts'
import { DOCUMENT_MAX_BYTES } from '#shared/limits.ts'
import { ingestLater } from './documents.ingest.ts'
import { assertRawBody, displayName, formatOf } from './documents.rules.ts'
import * as store from './documents.store.ts'
import { assertSpace } from './spaces.store.ts'

type UploadServices = Pick<Services, 'database' | 'files' | 'jobs'>
type Upload = { organizationId: Id<'organizations'>; document: store.NewDocument; body: ReadableStream<Uint8Array> }

const STATUS: Partial<Record<ErrorCode, 400 | 401 | 403 | 404 | 413 | 415>> = {
  unauthenticated: 401,
  organization_required: 403,
  not_found: 404,
  file_too_large: 413,
  unsupported_format: 415,
  raw_body_expected: 415,
}
/** Between two signs of life of an upload, milliseconds. */
const TOUCH_EVERY_MS = 30_000

/** The upload route. `callerOf` says who sends a request; null for nobody. */
export function documentRoutes(services: UploadServices, callerOf: (request: Request) => Promise<Caller | null>): Hono {
  const routes = new Hono()
  routes.post('/api/files/documents', async (c) => {
    try {
      const caller = await callerOf(c.req.raw)
      return c.json(await upload(services, await admit(services, caller, c)), 201)
    } catch (error) {
      const data = appErrorData(error)
      if (!data) throw error
      return c.json(data, STATUS[data.code] ?? 400, { connection: 'close' })
    }
  })
  return routes
}

/** Everything that can be refused before the body is read. */
async function admit({ database }: UploadServices, caller: Caller | null, c: Context): Promise<Upload> {
  if (!caller) throw new AppError('unauthenticated')
  const { organizationId } = caller
  if (!organizationId) throw new AppError('organization_required')
  assertRawBody(c.req.header('content-type'))
  const knowledgeSpaceId = (c.req.query('knowledgeSpaceId') ?? '') as Id<'knowledgeSpaces'>
  const name = displayName(c.req.query('name') ?? '')
  if (!name) throw new AppError('invalid_arguments', { path: 'name' })
  await database.organization(organizationId, (db) => assertSpace({ db, organizationId }, knowledgeSpaceId), {
    readOnly: true,
  })
  const format = formatOf(name)
  if (!format) throw new AppError('unsupported_format')
  if (Number(c.req.header('content-length') ?? 0) > DOCUMENT_MAX_BYTES) {
    throw new AppError('file_too_large', { maxBytes: DOCUMENT_MAX_BYTES })
  }
  const body = c.req.raw.body
  if (!body) throw new AppError('file_empty')
  const id = newId('documents')
  return { organizationId, document: { id, knowledgeSpaceId, name, format, fileKey: id }, body }
}

async function upload(
  services: UploadServices,
  { organizationId, document, body }: Upload,
): Promise<KnowledgeDocument> {
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
