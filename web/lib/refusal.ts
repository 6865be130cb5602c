// Expected failures as the browser sees them: a code of the catalogue, which errors.json puts into words. The sentences of the catalogue are
// for logs and for programs, and stay on the server.
import { ConvexError, type Value } from 'convex/values'
import type { AppErrorData, ErrorCode } from '#shared/errors.ts'

/** A refusal that the browser throws itself, or has read off an answer. */
export class Refusal extends ConvexError<AppErrorData> {
  readonly code: ErrorCode
  constructor(code: ErrorCode, params: Record<string, Value> = {}) {
    super({ code, message: code, params })
    this.name = 'Refusal'
    this.code = code
  }
}

/** The data of a refusal, as the realtime client has decoded it or the browser has thrown it; undefined for anything else. */
export function refusalData(error: unknown): AppErrorData | undefined {
  return error instanceof ConvexError && hasCode(error.data) ? (error.data as AppErrorData) : undefined
}

/** Whether the body of an answer is a refusal of the catalogue: doors that know no catalogue answer with a code alone. */
export function isRefusalData(body: unknown): body is AppErrorData {
  return hasCode(body) && 'message' in body && 'params' in body
}

function hasCode(data: unknown): data is { code: string } {
  return typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string'
}
