// POST /api/files/tables?knowledgeSpaceId=…&name=… — takes the raw body of one spreadsheet and answers 201 with the table.
import path from 'node:path'
import type { JSONValue } from 'convex/values'
import { Hono } from 'hono'
import { newId } from '#server/platform/lib/ids.ts'
import { TABLE_FORMATS, type TableFormat } from '#shared/knowledge/tables.ts'
import { TABLE_MAX_BYTES } from '#shared/limits.ts'
import { keepFile } from '../documents/files/files.keep.ts'
import {
  type AdmittedFile,
  admitFile,
  answerOnce,
  answerUpload,
  type FindCaller,
  recordUpload,
  type UploadServices,
} from '../documents/files/uploads.http.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import { analyzeLater } from './tables.analyze.ts'
import * as store from './tables.store.ts'

/** The upload route. */
export function tableRoutes(services: UploadServices, callerOf: FindCaller): Hono {
  const routes = new Hono()
  routes.post('/api/files/tables', (c) =>
    answerUpload(c, async () => {
      const caller = await callerOf(c.req.raw)
      const accepted = { route: 'POST /api/files/tables', maxBytes: TABLE_MAX_BYTES, formatOf } as const
      const file = await admitFile(services, caller, c, accepted)
      return answerOnce(services, file, () => upload(services, file))
    }),
  )
  return routes
}

function formatOf(name: string): TableFormat | undefined {
  const extension = path.extname(name).slice(1).toLowerCase()
  return TABLE_FORMATS.find((known) => known === extension)
}

/** The row is made when the file is there: an upload that breaks off leaves nothing. */
async function upload(services: UploadServices, file: AdmittedFile<TableFormat>): Promise<JSONValue> {
  const { knowledgeSpaceId, name, format, body } = file
  const id = newId('tables')
  return keepFile(services.files, { key: id, body, maxBytes: TABLE_MAX_BYTES }, async (sizeBytes) => {
    const { isReplay, answer } = await recordUpload(services, file, async (ctx) => {
      await assertSpace(ctx, knowledgeSpaceId) // it may have been removed while the file was sent
      await store.insertTable(ctx, { id, knowledgeSpaceId, name, format, fileKey: id, sizeBytes }, ctx.now)
      await analyzeLater(ctx, id)
      return store.getTable(ctx, id)
    })
    return { result: answer, isNamed: !isReplay }
  })
}
