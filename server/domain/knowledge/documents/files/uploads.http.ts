// Shared by the upload routes of documents and tables: authorization, and the answers to an upload.
import { convexToJson, type JSONValue, type Value } from 'convex/values'
import type { Context } from 'hono'
import {
  type ApiWrite,
  carryOutOnce,
  findAnswer,
  fingerprintOf,
  keyOf,
  type RequestName,
} from '#server/domain/api-tokens/once.ts'
import { admitMember } from '#server/functions/members.ts'
import type { Services } from '#server/functions/services.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { MemberRoute } from '#shared/organizations/routes.ts'
import { assertSpace } from '../../spaces/spaces.store.ts'
import { assertRawBody, displayName } from '../documents.rules.ts'

export type UploadServices = Pick<Services, 'database' | 'files' | 'jobs'>

/** Identifies the sender of a request; null when anonymous. */
export type FindCaller = (request: Request) => Promise<Caller | null>

/** A file that may be stored; its body is not read yet. */
export type AdmittedFile<Format> = {
  organizationId: Id<'organizations'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  format: Format
  body: ReadableStream<Uint8Array>
  request: RequestName
}

/** What a route accepts. `maxBytes`: of one file; `formatOf`: by the file's name, undefined for an unsupported one. */
type Accepted<Format> = { route: MemberRoute; maxBytes: number; formatOf: (name: string) => Format | undefined }

const STATUS: Partial<Record<ErrorCode, 400 | 401 | 403 | 404 | 409 | 413 | 415 | 507>> = {
  unauthenticated: 401,
  organization_required: 403,
  role_required: 403,
  support_read_only: 403,
  not_found: 404,
  idempotency_key_reused: 409,
  document_busy: 409,
  document_of_site: 409,
  file_too_large: 413,
  storage_full: 507,
  unsupported_format: 415,
  raw_body_expected: 415,
}

/** 201 with what `upload` has made, or the code of what it was refused for. */
export async function answerUpload(c: Context, upload: () => Promise<JSONValue>): Promise<Response> {
  try {
    return c.json(await upload(), 201)
  } catch (error) {
    const data = appErrorData(error)
    if (!data) throw error
    return c.json(data, STATUS[data.code] ?? 400, { connection: 'close' })
  }
}

/**
 * Everything that can be refused before the body is read.
 *
 * @throws AppError unauthenticated, organization_required, role_required, raw_body_expected, invalid_arguments, not_found, unsupported_format,
 * file_too_large, file_empty
 */
export async function admitFile<Format>(
  { database }: UploadServices,
  caller: Caller | null,
  c: Context,
  { route, maxBytes, formatOf }: Accepted<Format>,
): Promise<AdmittedFile<Format>> {
  const { organizationId } = admitMember(caller, route)
  assertRawBody(c.req.header('content-type'))
  const knowledgeSpaceId = (c.req.query('knowledgeSpaceId') ?? '') as Id<'knowledgeSpaces'>
  const name = displayName(c.req.query('name') ?? '')
  if (!name) throw new AppError('invalid_arguments', { path: 'name' })
  if (knowledgeSpaceId.includes('\0')) throw new AppError('not_found') // PostgreSQL knows no text with it
  await database.organization(organizationId, (db) => assertSpace({ db, organizationId }, knowledgeSpaceId), {
    readOnly: true,
  })
  const format = formatOf(name)
  if (format === undefined) throw new AppError('unsupported_format')
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw new AppError('file_too_large', { maxBytes })
  const body = c.req.raw.body
  if (!body) throw new AppError('file_empty')
  return { organizationId, knowledgeSpaceId, name, format, body, request: nameOf(c.req.raw) }
}

/**
 * The stored answer to an upload with an idempotency key that was recorded already, for example when that answer was lost: the body is then
 * received and discarded. Otherwise the answer of `upload`.
 *
 * @throws AppError idempotency_key_reused
 */
export async function answerOnce<Format>(
  { database }: UploadServices,
  { organizationId, request, body }: AdmittedFile<Format>,
  upload: () => Promise<JSONValue>,
): Promise<JSONValue> {
  if (request.key === null) return upload()
  const before = await database.organization(organizationId, (db) => findAnswer({ db, organizationId }, request), {
    readOnly: true,
  })
  if (!before) return upload()
  await body.pipeTo(new WritableStream())
  return before.body
}

/** Writes the row of a stored file, or finds that the same upload has been recorded in the meantime. */
export async function recordUpload<Format>(
  services: UploadServices,
  { organizationId, request }: AdmittedFile<Format>,
  write: (ctx: ApiWrite) => Promise<Value>,
): Promise<{ answer: JSONValue; isReplay: boolean }> {
  const { body, isReplay } = await carryOutOnce(services, organizationId, request, async (ctx) => {
    return { status: 201, body: convexToJson(await write(ctx)) }
  })
  return { answer: body, isReplay }
}

/** Keys of uploads are apart from those of the HTTP API. The content is known by its length: it is not read twice. */
function nameOf(request: Request): RequestName {
  const key = keyOf(request)
  const fingerprint = fingerprintOf(request, request.headers.get('content-length') ?? '')
  return { key: key === null ? null : `upload ${key}`, fingerprint }
}
