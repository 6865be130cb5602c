// GET /api/files/conversations/:id?format=…&language=…&timeZone=… — one conversation as a file, written while it is read.
// GET /api/files/exports/:id?ticket=… — a file that was written in the background. Both for members of the organization only.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type Context, Hono } from 'hono'
import { admitMember } from '#server/functions/members.ts'
import type { Services } from '#server/functions/services.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { type ExportFormat, exportManner } from '#shared/messaging/exports.ts'
import type { MemberRoute } from '#shared/organizations/routes.ts'
import { listThreadIds } from '../conversations/threads.store.ts'
import { getConversation } from '../inbox/conversations.store.ts'
import { checkTicket } from './exports.links.ts'
import { fileOf, readConversation } from './exports.read.ts'
import { EXPORT_TYPES, exportName, exportWriter } from './exports.rules.ts'
import { getExport } from './exports.store.ts'

type Parts = Pick<Services, 'database' | 'files' | 'secrets'>
type File = { body: ReadableStream<Uint8Array>; format: ExportFormat; name: string; sizeBytes?: number }

const STATUS: Partial<Record<ErrorCode, 400 | 401 | 403 | 410>> = {
  unauthenticated: 401,
  organization_required: 403,
  role_required: 403,
  support_read_only: 403,
  invalid_arguments: 400,
  link_expired: 403,
  export_not_ready: 410,
}

/** Both routes. `callerOf` returns who sends a request; null when not signed in. */
export function exportRoutes(parts: Parts, callerOf: (request: Request) => Promise<Caller | null>): Hono {
  const routes = new Hono()
  type Make = (organizationId: Id<'organizations'>, c: Context) => Promise<File>
  const answer = (route: MemberRoute, make: Make) => async (c: Context) => {
    try {
      const { organizationId } = admitMember(await callerOf(c.req.raw), route)
      const file = await make(organizationId, c)
      return c.body(file.body, 200, headersOf(file))
    } catch (error) {
      const data = appErrorData(error)
      if (!data) throw error
      return c.json(data, STATUS[data.code] ?? 404)
    }
  }
  routes.get(
    '/api/files/conversations/:id{[0-9a-v]{32}}',
    answer('GET /api/files/conversations/:id', (organizationId, c) => conversationFile(parts, organizationId, c)),
  )
  routes.get(
    '/api/files/exports/:id{[0-9a-v]{32}}',
    answer('GET /api/files/exports/:id', (organizationId, c) => storedFile(parts, organizationId, c)),
  )
  return routes
}

async function conversationFile({ database }: Parts, organizationId: Id<'organizations'>, c: Context): Promise<File> {
  const manner = exportManner.safeParse(c.req.query())
  if (!manner.success) throw new AppError('invalid_arguments')
  const id = c.req.param('id') as Id<'conversations'>
  const read = async (db: Db) => {
    const ctx = { db, organizationId }
    return { conversation: await getConversation(ctx, id), ids: await listThreadIds(ctx, id) }
  }
  const { conversation, ids } = await database.organization(organizationId, read, { readOnly: true })
  const now = Date.now()
  const pieces = readConversation({ database, organizationId }, conversation, ids)
  return {
    body: fileOf(pieces, exportWriter(manner.data, now)),
    format: manner.data.format,
    name: exportName(conversation.agentName, manner.data, now),
  }
}

async function storedFile(parts: Parts, organizationId: Id<'organizations'>, c: Context): Promise<File> {
  const { database, files, secrets } = parts
  const exportId = c.req.param('id') as Id<'exports'>
  const now = Date.now()
  const kept = await database.organization(organizationId, (db) => getExport({ db, organizationId }, exportId), {
    readOnly: true,
  })
  checkTicket(secrets, organizationId, { exportId, ticket: c.req.query('ticket') ?? '', now })
  if (kept.status !== 'ready' || (kept.expiresAt?.getTime() ?? 0) <= now) throw new AppError('export_not_ready')
  // Opened before the response begins: a file that is on another machine, or gone, must not look like a broken download.
  const file = await open(await files.localPath(kept.fileKey)).catch(() => null)
  if (!file) throw new AppError('export_not_ready')
  const { size } = await file.stat()
  const body = Readable.toWeb(createReadStream('', { fd: file })) as ReadableStream<Uint8Array>
  return { body, format: kept.manner.format, name: kept.name, sizeBytes: size }
}

function headersOf({ format, name, sizeBytes }: File): Record<string, string> {
  return {
    'content-type': EXPORT_TYPES[format],
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    ...(sizeBytes !== undefined && { 'content-length': String(sizeBytes) }),
    'cache-control': 'private, no-store',
  }
}
