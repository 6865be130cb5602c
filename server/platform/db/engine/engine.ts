// What the database needs of an engine: sessions that run one transaction at a time, and the classification of their errors.
// Outside server/platform/db only the errors are used.
import type { DatabaseConnection } from 'kysely'
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import type { Isolation } from '../database.ts'

export type Row = Record<string, unknown>
export type TransactionMode = { isolation: Isolation; readOnly: boolean }

/** One connection, owned by one caller until released. */
export interface Session extends DatabaseConnection {
  /**
   * Opens a transaction and runs statements in it, all in one round trip. They carry no parameters. Statements sent before this has
   * answered wait for it, and fail when it fails.
   * @returns the rows of the last statement
   */
  begin(mode: TransactionMode, setup: string[]): Promise<Row[]>
  /** Runs one statement, or several without parameters, in one round trip; answers the rows of the last. */
  script(sql: string): Promise<Row[]>
  /**
   * Does not wait for the answer of a statement that was just sent.
   * @throws Error when a statement failed; CommitUnknownError when the connection was lost before the answer came
   */
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Whether to release the session soon, because others wait. Absent: never. */
  shouldYield?(): boolean
  /** Waits, with the session kept, until its party may use more of the database. Absent: it always may. */
  rest?(): Promise<void>
  /** Releases the session. A broken one is closed instead of reused. */
  release(broken?: boolean): void
}

export interface Engine {
  /** Acquires an exclusive session; waits while all are in use. `party`: on whose behalf, where that matters (fair-connections.ts). */
  acquire(party?: Party): Promise<Session>
  /** Hands `run` an engine on the same database without a statement timeout. */
  unhurried<T>(run: (engine: Engine) => Promise<T>): Promise<T>
  /**
   * Stores something, to find out whether that is possible.
   * @throws when it is not, or has not been done within `limitMs`
   */
  probe(limitMs: number): Promise<void>
  close(): Promise<void>
}

/** The connection was lost during a commit: the transaction may or may not have been committed. Look up by key before repeating. */
export class CommitUnknownError extends Error {
  override name = 'CommitUnknownError'
}

/** The transaction lost against a concurrent one and can be retried. */
export function isConflict(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40001' || code === '40P01'
}

/** The statement was not tried, because an earlier one of its transaction had failed. */
export function isAborted(error: unknown): boolean {
  return errorCode(error) === '25P02'
}

/** Others used the same rows for as long as one transaction tries or waits (`lock_timeout`). Nothing was done; a retry may succeed. */
export function isContended(error: unknown): boolean {
  return isConflict(error) || errorCode(error) === '55P03'
}

/**
 * Errors that data alone can cause: numbers and times out of range, text that its type or encoding rejects, values too large for an index,
 * a tsvector or the stack.
 * @source postgresql.org/docs/current/errcodes-appendix.html
 */
const UNSTORABLE = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05', '54000', '54001'])

/** The database will never accept such data. */
export function isUnstorable(error: unknown): boolean {
  return UNSTORABLE.has(errorCode(error) ?? '')
}

/**
 * The server itself ended the connection in answer to a statement: whatever was sent behind that statement, including a commit, was not
 * executed.
 */
export function isLastWord(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'severity' in error && error.severity === 'FATAL'
}

/** The client had lost its connection before: the statement was not sent. */
export function isNotSent(error: unknown): boolean {
  return error instanceof Error && error.message.includes('not queryable')
}

/** The connection is gone. Before a commit that means: nothing happened. */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== undefined && LOST_CODES.test(code)) return true
  if (code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect') return true // no socket, no server
  return error instanceof Error && LOST_MESSAGES.test(error.message)
}

const LOST_CODES =
  /^(08...|57P0[123]|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
const LOST_MESSAGES =
  /Connection terminated|not queryable|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect|Received unexpected \w+ message/

/**
 * The database is unreachable or takes no writes for now: connections refused or ended, a standby, a full disk, no memory or no connections
 * left. The failed work was not done and can be retried.
 */
export function isUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || SHORT_OF_RESOURCES.has(errorCode(error) ?? '')
}

/** What callers learn of a failure after which a retry may succeed; null for others. */
export function passingFailure(error: unknown): 'database_unavailable' | 'conflict' | null {
  if (isContended(error)) return 'conflict'
  return isOutage(error) ? 'database_unavailable' : null
}

/** The failure was caused by an outage; whether the work was done may be unknown. */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) || error instanceof CommitUnknownError
}

/** Read-only transaction, disk full, out of memory, too many connections, a configured limit, input or output failed. */
const SHORT_OF_RESOURCES = new Set(['25006', '53100', '53200', '53300', '53400', '58030'])

function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
