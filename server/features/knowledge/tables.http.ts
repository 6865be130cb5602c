// POST /api/files/tables?knowledgeSpaceId=…&name=… — takes the raw body of one spreadsheet and answers 201 with the table.
import path from 'node:path'
import { type Context, Hono } from 'hono'
import type { Caller } from '#server/functions/context.ts'
import type { Services } from '#server/functions/services.ts'
import { newId } from '#server/lib/ids.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { TABLE_MAX_BYTES } from '#shared/limits.ts'
import { type DataTable, TABLE_FORMATS } from '#shared/tables.ts'
import { assertRawBody, displayName } from './documents.rules.ts'
import { assertSpace } from './spaces.store.ts'
import { analyzeLater } from './tables.analyze.ts'
import * as store from './tables.store.ts'

type UploadServices = Pick<Services, 'database' | 'files' | 'jobs'>
type Upload = {
  organizationId: Id<'organizations'>
  table: Omit<store.NewTable, 'sizeBytes'>
  body: ReadableStream<Uint8Array>
}

const STATUS: Partial<Record<ErrorCode, 400 | 401 | 403 | 404 | 413 | 415>> = {
  unauthenticated: 401,
  organization_required: 403,
  not_found: 404,
  file_too_large: 413,
  unsupported_format: 415,
  raw_body_expected: 415,
}

/** The upload route. `callerOf` says who sends a request; null for nobody. */
export function tableRoutes(services: UploadServices, callerOf: (request: Request) => Promise<Caller | null>): Hono {
  const routes = new Hono()
  routes.post('/api/files/tables', async (c) => {
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
  const extension = path.extname(name).slice(1).toLowerCase()
  const format = TABLE_FORMATS.find((known) => known === extension)
  if (!format) throw new AppError('unsupported_format')
  if (Number(c.req.header('content-length') ?? 0) > TABLE_MAX_BYTES) {
    throw new AppError('file_too_large', { maxBytes: TABLE_MAX_BYTES })
  }
  const body = c.req.raw.body
  if (!body) throw new AppError('file_empty')
  const id = newId('tables')
  return { organizationId, table: { id, knowledgeSpaceId, name, format, fileKey: id }, body }
}

/** The row is made when the file is there: an upload that breaks off leaves nothing. */
async function upload({ database, files, jobs }: UploadServices, given: Upload): Promise<DataTable> {
  const { organizationId, table, body } = given
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
