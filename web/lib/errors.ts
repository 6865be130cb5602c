// From anything that was thrown to words that say what happened and what to do next.
import i18next from 'i18next'
import type { ErrorCode } from '#shared/errors.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import { refusalData } from './refusal.ts'
import { isDatabaseDown } from './server/database-health.ts'

/** The catalogue's codes, and what can go wrong on the way to the server. */
export type WebErrorCode = ErrorCode | 'network' | 'connection_lost' | 'server_error'

export type DescribedError = {
  code: WebErrorCode
  /** Translated; ends with what to do next. */
  message: string
  /** Id under which the server logged an unexpected error; null for expected ones. */
  requestId: string | null
}

/** An HTTP answer that is not 2xx. `code` is the sign-in service's own code, such as `INVALID_EMAIL_OR_PASSWORD`. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string | null
  /** What a person has written about it; empty: nothing. */
  readonly reason: string
  constructor(status: number, message: string, code: string | null = null, reason = '') {
    super(message)
    this.name = 'HttpError'
    this.status = status
    this.code = code
    this.reason = reason
  }
}

/** Never throws; an unknown error is a `server_error`. */
export function describeError(error: unknown): DescribedError {
  const data = refusalData(error)
  const code = data?.code ?? (isOutage(error) ? 'database_unavailable' : transportCode(error))
  return {
    code,
    message: i18next.t(($) => $[code], { ns: 'errors', ...data?.params }),
    requestId: data ? null : requestIdOf(error),
  }
}

/** What a code needs to be put into words, where it is always the same. */
const PARAMS: Partial<Record<ErrorCode, Record<string, number>>> = { thread_too_long: { max: THREAD_MAX } }

/** A code of the catalogue in words, for failures that arrive as a result. */
export function describeCode(code: ErrorCode): string {
  return i18next.t(($) => $[code], { ns: 'errors', ...PARAMS[code] })
}

/** Whether a call was refused because the session is missing or over. */
export function isUnauthenticated(error: unknown): boolean {
  return refusalData(error)?.code === 'unauthenticated' || (error instanceof HttpError && error.status === 401)
}

/**
 * Whether an outage of the database explains a failure: by its code, or because the server failed without words while it says that its
 * database is unavailable.
 */
export function isOutage(error: unknown): boolean {
  const code = refusalData(error)?.code ?? (error instanceof HttpError ? error.code : null)
  return code === 'database_unavailable' || (isDatabaseDown() && isServerFailure(error))
}

/** An unexpected failure: the realtime client calls it "Server Error". */
function isServerFailure(error: unknown): boolean {
  if (error instanceof HttpError) return error.status >= 500
  return error instanceof Error && refusalData(error) === undefined && error.message.includes('Server Error')
}

/** Whether repeating the same HTTP request cannot help. */
export function isClientError(error: unknown): boolean {
  return error instanceof HttpError && error.status >= 400 && error.status < 500
}

/** Which boundary screen fits an error that stopped a page. */
export function boundaryKind(error: unknown): 'database' | 'network' | 'authorization' | 'agent' | 'data' | 'general' {
  switch (describeError(error).code) {
    case 'database_unavailable':
      return 'database'
    case 'network':
    case 'connection_lost':
      return 'network'
    case 'unauthenticated':
    case 'forbidden':
    case 'admin_required':
      return 'authorization'
    case 'agent_unavailable':
      return 'agent'
    case 'not_found':
      return 'data'
    default:
      return 'general'
  }
}

function transportCode(error: unknown): WebErrorCode {
  if (error instanceof HttpError) {
    if (error.status === 401) return 'unauthenticated'
    if (error.status === 403) return 'forbidden'
    if (error.status === 404) return 'not_found'
    if (error.status === 429) return 'rate_limited'
    return 'server_error'
  }
  const message = error instanceof Error ? error.message : String(error)
  if (/Connection lost while action was in flight/.test(message)) return 'connection_lost'
  // What browsers say when fetch or a dynamic import gets no answer.
  if (/Failed to fetch|NetworkError|Load failed|dynamically imported module|Importing a module script/i.test(message))
    return 'network'
  return 'server_error'
}

/** The convex client puts the server's request id into the message. */
function requestIdOf(error: unknown): string | null {
  const message = error instanceof Error ? error.message : ''
  return /\[Request ID: ([\w-]+)\]/.exec(message)?.[1] ?? null
}
