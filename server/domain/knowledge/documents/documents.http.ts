// POST /api/files/documents?knowledgeSpaceId=…&name=… — takes the raw body of one file and answers 201 with the document: a new one,
// or with `&replaces=<id>` the one whose new version the file is.
// Streamed to the file store while counting; nothing is kept of an upload that is refused or breaks off.
import type { JSONValue } from 'convex/values'
import { Hono } from 'hono'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { DocumentFormat } from '#shared/knowledge/knowledge.ts'
import { DOCUMENT_MAX_BYTES } from '#shared/limits.ts'
import { ingestLater } from './documents.ingest.ts'
import { formatOf } from './documents.rules.ts'
import * as store from './documents.store.ts'
import { assertReplaceable, replaceDocument } from './documents.write.ts'
import { keepFile, mayStand } from './files/files.keep.ts'
import {
  type AdmittedFile,
  admitFile,
  answerOnce,
  answerUpload,
  type FindCaller,
  recordUpload,
  type UploadServices,
} from './files/uploads.http.ts'

/** Between two signs of life of an upload, milliseconds. */
const TOUCH_EVERY_MS = 30_000

/** The upload route. */
export function documentRoutes(services: UploadServices, callerOf: FindCaller): Hono {
  const routes = new Hono()
  routes.post('/api/files/documents', (c) =>
    answerUpload(c, async () => {
      const caller = await callerOf(c.req.raw)
      const accepted = { route: 'POST /api/files/documents', maxBytes: DOCUMENT_MAX_BYTES, formatOf } as const
      const file = await admitFile(services, caller, c, accepted)
      const replaces = c.req.query('replaces') as Id<'documents'> | undefined
      return answerOnce(services, file, () =>
        replaces === undefined ? upload(services, file) : uploadVersion(services, file, replaces),
      )
    }),
  )
  return routes
}

/** The document is unchanged until the upload is complete; an aborted upload leaves nothing behind. */
async function uploadVersion(
  services: UploadServices,
  file: AdmittedFile<DocumentFormat>,
  id: Id<'documents'>,
): Promise<JSONValue> {
  const { organizationId, knowledgeSpaceId, name, format, body } = file
  if (id.includes('\0')) throw new AppError('not_found') // PostgreSQL knows no text with it
  const check = (ctx: OrgStoreContext) => assertReplaceable(ctx, id, knowledgeSpaceId)
  await services.database.organization(organizationId, (db) => check({ db, organizationId }), { readOnly: true })
  const fileKey = newId('documents')
  return keepFile(services.files, { key: fileKey, body, maxBytes: DOCUMENT_MAX_BYTES }, async (sizeBytes) => {
    const { isReplay, answer } = await recordUpload(services, file, async (ctx) => {
      await store.lockDocument(ctx, id)
      await check(ctx) // much may have happened while the file was sent
      return replaceDocument(ctx, id, { name, format, fileKey, sizeBytes })
    })
    return { result: answer, isNamed: !isReplay }
  })
}

async function upload(services: UploadServices, file: AdmittedFile<DocumentFormat>): Promise<JSONValue> {
  const { organizationId, knowledgeSpaceId, name, format, body } = file
  const id = newId('documents')
  const write = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
    services.database.organization(organizationId, (db) => run({ db, organizationId }))
  await write((ctx) => store.insertDocument(ctx, { id, knowledgeSpaceId, name, format, fileKey: id }, new Date()))
  const touching = setInterval(() => {
    write((ctx) => store.touchUpload(ctx, id, new Date())).catch(() => {}) // the next one may succeed
  }, TOUCH_EVERY_MS)
  const forget = () => write((ctx) => store.deleteDocument(ctx, id))
  try {
    return await keepFile(services.files, { key: id, body, maxBytes: DOCUMENT_MAX_BYTES }, async (sizeBytes) => {
      const { isReplay, answer } = await recordUpload(services, file, async (ctx) => {
        const isWanted = await store.startProcessing(ctx, id, 'uploading', { now: ctx.now, sizeBytes })
        if (!isWanted) throw new AppError('not_found') // removed while it was sent
        await ingestLater(ctx, id)
        return store.getDocument(ctx, id)
      })
      if (isReplay) await forget()
      return { result: answer, isNamed: !isReplay }
    })
  } catch (error) {
    if (!mayStand(error)) await forget()
    throw error
  } finally {
    clearInterval(touching)
  }
}
