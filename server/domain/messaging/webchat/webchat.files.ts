// Uploads of visitors of the web chat: a picture or a document, by its bytes. Visitors are anonymous, so a file is counted before it is
// read, and removed a day later when no message has sent it.
import { fileTypeFromBuffer } from 'file-type'
import type { Context } from 'hono'
import { assertRawBody, displayName } from '#server/domain/knowledge/documents/documents.rules.ts'
import { removeUnusedLater } from '#server/domain/messaging/files/uploads.job.ts'
import { TICKET_MS, ticketFor } from '#server/domain/messaging/files/uploads.rules.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import { WEBCHAT_FILE_MAX_BYTES } from '#shared/limits.ts'
import type { UploadedFile } from '#shared/messaging/attachments.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { ChatVisitor } from './webchat.chat.ts'
import { visitorFileOf } from './webchat.files.rules.ts'
import { countFile } from './webchat.files.store.ts'

/** Age at which an unsent file is removed, as its ticket has certainly expired, milliseconds. */
const KEPT_MS = TICKET_MS + 4 * 3_600_000

/**
 * Stores the body of the request. Nothing is kept of one that is refused or aborted.
 *
 * @throws AppError forbidden where files are not taken, files_limit_reached, file_too_large, file_empty, unsupported_format
 */
export async function takeFile(
  ctx: PipelineContext,
  { widget, visitorId }: ChatVisitor,
  c: Context,
): Promise<UploadedFile> {
  const { body, givenName, announcedBytes } = admitFile(c)
  if (!widget.settings.takesFiles) throw new AppError('forbidden')
  const { id: connectionId, organizationId } = widget.connection
  const { files, jobs, secrets } = ctx.services
  const fileKey = `upload-${newId()}`
  const at = Date.now()
  await ctx.organization(organizationId, async (store) => {
    const waitMs = await countFile(store, { connectionId, visitorId }, announcedBytes)
    if (waitMs !== null) throw new AppError('files_limit_reached', { retryAfterMs: waitMs })
    // Before the file is stored: a server that dies in between leaves nothing behind.
    await removeUnusedLater({ ...store, jobs }, [fileKey], new Date(at + KEPT_MS))
  })
  const { sizeBytes } = await files.put(fileKey, body, WEBCHAT_FILE_MAX_BYTES).catch((error: unknown) => {
    if (c.req.raw.signal.aborted) throw new AppError('file_empty') // the visitor has cancelled: no one receives the answer
    throw error
  })
  const bytes = await files.get(fileKey)
  const made = visitorFileOf((await fileTypeFromBuffer(bytes))?.mime, givenName, bytes)
  if (!made) {
    await files.remove(fileKey)
    throw new AppError('unsupported_format')
  }
  const upload = { ...made, fileKey, sizeBytes, at }
  const ticket = ticketFor(secrets, { organizationId, connectionId, visitorId }, upload)
  return { ticket, kind: made.kind, name: made.name, sizeBytes }
}

/** Everything that can be refused before anything is counted. A size that is not announced counts as the largest. */
function admitFile(c: Context) {
  assertRawBody(c.req.header('content-type'))
  const givenName = displayName(c.req.query('name') ?? '')
  if (!givenName) throw new AppError('invalid_arguments', { path: 'name' })
  const announcedBytes = Number(c.req.header('content-length') ?? WEBCHAT_FILE_MAX_BYTES)
  if (!(announcedBytes <= WEBCHAT_FILE_MAX_BYTES)) {
    throw new AppError('file_too_large', { maxBytes: WEBCHAT_FILE_MAX_BYTES })
  }
  const { body } = c.req.raw
  if (!body || announcedBytes === 0) throw new AppError('file_empty')
  return { body, givenName, announcedBytes }
}
