// The only translator of errors: what a client learns when a function fails, and what the log keeps.
import { ConvexError, convexToJson, type Value } from 'convex/values'
import { isContended, isOutage } from '#server/platform/db/engine/engine.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Failure } from '#server/platform/sync/host.ts'
import { AppError } from '#shared/errors.ts'

/** The outcome of an expected failure; undefined for anything else. */
export function expectedFailure(error: unknown): Failure | undefined {
  if (isContended(error)) return expectedFailure(new AppError('conflict'))
  return error instanceof ConvexError ? refused(error) : undefined
}

function refused(error: ConvexError<Value>): Failure {
  const data = error.data as Value
  const message = typeof data === 'object' && data !== null && 'message' in data ? data.message : undefined
  return { ok: false, message: typeof message === 'string' ? message : error.message, data: convexToJson(data) }
}

/** The outcome of any failure. An unexpected one is logged under a request id, and the id is all that the client gets. */
export function failure(error: unknown, name: string, logger: Logger): Failure {
  const expected = expectedFailure(error)
  if (expected) return expected
  if (isOutage(error)) {
    logger.warn({ err: error, function: name }, 'function failed: the database is away')
    return refused(new AppError('database_unavailable'))
  }
  const requestId = newId()
  logger.error({ err: error, requestId, function: name }, 'function failed')
  return { ok: false, message: `[Request ID: ${requestId}] Server Error` }
}
