// POST /api/files/uploads?name=…&isRecorded=true — takes the raw body of one file that a tester is going to send, and answers 201 with
// its kind and the ticket to send it by. Nothing is kept of an upload that is refused, aborted, or not sent within a day.
import { fileTypeFromBuffer } from 'file-type'
import { type Context, Hono } from 'hono'
import { displayName } from '#server/domain/knowledge/documents/documents.rules.ts'
import { admitMember } from '#server/functions/members.ts'
import type { Services } from '#server/functions/services.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { ATTACHMENT_MAX_BYTES } from '#shared/limits.ts'
import type { UploadedFile } from '#shared/messaging/attachments.ts'
import { removeUnusedLater } from './uploads.job.ts'
import { contentOf, TICKET_MS, ticketFor, type Upload } from './uploads.rules.ts'

type Parts = Pick<Services, 'database' | 'files' | 'jobs' | 'secrets'>
type Admitted = {
  owner: { organizationId: Id<'organizations'>; userId: Id<'users'> }
  name: string
  isRecorded: boolean
  body: ReadableStream<Uint8Array>
}

const STATUS: Partial<Record<ErrorCode, 401 | 403 | 413 | 507>> = {
  unauthenticated: 401,
  organization_required: 403,
  role_required: 403,
  support_read_only: 403,
  file_too_large: 413,
  storage_full: 507,
}
/** Age at which an unsent file is removed, as its ticket has certainly expired, milliseconds. */
const KEPT_MS = TICKET_MS + 4 * 3_600_000

/** The upload route. `callerOf` returns who sends a request; null when not signed in. */
export function uploadRoutes(parts: Parts, callerOf: (request: Request) => Promise<Caller | null>): Hono {
  const routes = new Hono()
  routes.post('/api/files/uploads', async (c) => {
    try {
      return c.json(await upload(parts, admit(await callerOf(c.req.raw), c)), 201)
    } catch (error) {
      const data = appErrorData(error)
      if (!data) throw error
      return c.json(data, STATUS[data.code] ?? 400, { connection: 'close' })
    }
  })
  return routes
}

/** Everything that can be refused before the body is read. */
function admit(caller: Caller | null, c: Context): Admitted {
  const { organizationId, userId } = admitMember(caller, 'POST /api/files/uploads')
  const name = displayName(c.req.query('name') ?? '')
  if (!name) throw new AppError('invalid_arguments', { path: 'name' })
  if (Number(c.req.header('content-length') ?? 0) > ATTACHMENT_MAX_BYTES) {
    throw new AppError('file_too_large', { maxBytes: ATTACHMENT_MAX_BYTES })
  }
  const body = c.req.raw.body
  if (!body) throw new AppError('file_empty')
  return { owner: { organizationId, userId }, name, isRecorded: c.req.query('isRecorded') === 'true', body }
}

async function upload(
  { database, files, jobs, secrets }: Parts,
  { owner, name, isRecorded, body }: Admitted,
): Promise<UploadedFile> {
  const { organizationId } = owner
  const fileKey = `upload-${newId()}`
  const at = Date.now()
  // Before the file is stored: a server that dies in between leaves nothing behind.
  await database.organization(organizationId, (db) =>
    removeUnusedLater({ db, organizationId, jobs }, [fileKey], new Date(at + KEPT_MS)),
  )
  const { sizeBytes } = await files.put(fileKey, body, ATTACHMENT_MAX_BYTES)
  const found = await fileTypeFromBuffer(await files.get(fileKey))
  const made: Upload = { fileKey, name, sizeBytes, at, ...contentOf(found?.mime, { name, isRecorded }) }
  return { ticket: ticketFor(secrets, owner, made), kind: made.kind, name, sizeBytes }
}
