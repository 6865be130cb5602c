// POST /api/files/tables?knowledgeSpaceId=…&name=… — takes the raw body of one spreadsheet and answers 201 with the table.
import path from 'node:path'
import { Hono } from 'hono'
import { newId } from '#server/lib/ids.ts'
import { TABLE_MAX_BYTES } from '#shared/limits.ts'
import { type DataTable, TABLE_FORMATS, type TableFormat } from '#shared/tables.ts'
import { assertSpace } from './spaces.store.ts'
import { analyzeLater } from './tables.analyze.ts'
import * as store from './tables.store.ts'
import { type AdmittedFile, admitFile, answerUpload, type FindCaller, type UploadServices } from './uploads.http.ts'

/** The upload route. */
export function tableRoutes(services: UploadServices, callerOf: FindCaller): Hono {
  const routes = new Hono()
  routes.post('/api/files/tables', (c) =>
    answerUpload(c, async () => {
      const caller = await callerOf(c.req.raw)
      return upload(services, await admitFile(services, caller, c, { maxBytes: TABLE_MAX_BYTES, formatOf }))
    }),
  )
  return routes
}

function formatOf(name: string): TableFormat | undefined {
  const extension = path.extname(name).slice(1).toLowerCase()
  return TABLE_FORMATS.find((known) => known === extension)
}

/** The row is made when the file is there: an upload that breaks off leaves nothing. */
async function upload(
  { database, files, jobs }: UploadServices,
  { organizationId, body, ...file }: AdmittedFile<TableFormat>,
): Promise<DataTable> {
  const id = newId('tables')
  const table = { ...file, id, fileKey: id }
  try {
    const { sizeBytes } = await files.put(table.fileKey, body, TABLE_MAX_BYTES)
    return await database.organization(organizationId, async (db) => {
      const ctx = { db, organizationId, jobs }
      await assertSpace(ctx, table.knowledgeSpaceId) // it may have been removed while the file was sent
      await store.insertTable(ctx, { ...table, sizeBytes }, new Date())
      await analyzeLater(ctx, table.id)
      return store.getTable(ctx, table.id)
    })
  } catch (error) {
    await files.remove(table.fileKey)
    throw error
  }
}
