// Why a job failed, without what it was about: messages of errors may quote customers and secrets, names and codes do not.
import type { FailureCause } from '#shared/organizations/health.ts'

/** What pg-boss has kept of the last failure. `message`: of a job that pg-boss itself gave up. */
export type KeptFailure = { name: string | null; code: string | null; kind: string | null; message: string | null }

const TIMED_OUT = 'job timed out'
const WITHOUT_HEARTBEAT = 'job heartbeat timeout'
const ABORTS = new Set(['TimeoutError', 'AbortError'])
const SQLSTATE = /^[0-9A-Z]{5}$/
const SYSTEM_CODE = /^(E[A-Z]{3,}|UND_ERR_[A-Z_]+|[A-Z]+_TIMEOUT)$/
/** Names that a programmer has given, and no text. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_]{0,59}$/

/** The cause of a failure, safe to show and to send. */
export function causeOf({ name, code, kind, message }: KeptFailure): FailureCause {
  if (message === TIMED_OUT || (name !== null && ABORTS.has(name))) return { kind: 'timeout', detail: null }
  if (message === WITHOUT_HEARTBEAT) return { kind: 'lost', detail: null }
  if (name === 'AdapterError') return { kind: 'provider', detail: plain(kind) }
  if (name === 'AppError') return { kind: 'refused', detail: plain(code) }
  if (code !== null && SYSTEM_CODE.test(code)) return { kind: 'network', detail: code }
  if (code !== null && SQLSTATE.test(code)) return { kind: 'database', detail: code }
  return { kind: 'program', detail: plain(code) ?? plain(name) }
}

function plain(text: string | null): string | null {
  return text !== null && PLAIN.test(text) ? text : null
}
