// /api/v1/…: the HTTP API of an organization, for programs that hold one of its tokens. Described in docs/api.md.

import { ConvexError } from 'convex/values'
import type { Context } from 'hono'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import { API_BODY_MAX_BYTES } from '#shared/limits.ts'
import { type ApiServices, openCall } from './call.ts'
import { documentApi } from './documents.api.ts'
import { notesApi } from './notes.api.ts'
import type { ApiEnv } from './request.ts'
import { rowsApi } from './rows.api.ts'
import { spacesApi } from './spaces.api.ts'

const STATUS: Partial<Record<ErrorCode, 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 507>> = {
  unauthenticated: 401,
  scope_required: 403,
  not_found: 404,
  conflict: 409,
  idempotency_key_reused: 409,
  table_busy: 409,
  file_too_large: 413,
  storage_full: 507,
  unsupported_format: 415,
  raw_body_expected: 415,
  rate_limited: 429,
}

/** All routes of the API. */
export function apiRoutes(services: ApiServices): Hono {
  const api = new Hono<ApiEnv>()
  api.onError((error, c) => refuse(error, c))
  api.use(async (c, next) => {
    c.header('cache-control', 'no-store')
    if (/%00/.test(c.req.url)) throw new AppError('not_found') // the database takes no such character
    c.set('call', await openCall(services, c.req.raw))
    await next()
  })
  documentApi(api, services.files)
  // Documents are files of any size up to their own limit; everything else is JSON.
  api.use(bodyLimit({ maxSize: API_BODY_MAX_BYTES }))
  spacesApi(api)
  notesApi(api)
  rowsApi(api)
  const routes = new Hono()
  routes.route('/api/v1', api)
  return routes
}

/** Maps an expected error to its code; rethrows anything else to the server's error handler. */
function refuse(error: Error, c: Context): Response {
  const data = appErrorData(isCursorRefused(error) ? new AppError('invalid_arguments', { path: 'cursor' }) : error)
  if (!data) throw error
  const { retryAfterMs } = data.params
  if (typeof retryAfterMs === 'number') c.header('retry-after', String(Math.ceil(retryAfterMs / 1000)))
  return c.json(data, STATUS[data.code] ?? 400)
}

/** The pages of lists refuse a cursor in the words of the realtime client. */
function isCursorRefused(error: Error): boolean {
  if (!(error instanceof ConvexError)) return false
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'paginationError' in data
}
