// What the database works with: sessions that run one transaction at a time, and how their failures are told apart.
// Outside server/platform/db only the failures are used.
import type { DatabaseConnection } from 'kysely'
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import type { Isolation } from '../database.ts'

export type Row = Record<string, unknown>
export type TransactionMode = { isolation: Isolation; readOnly: boolean }

/** One connection, in the hands of one caller until released. */
export interface Session extends DatabaseConnection {
  /**
   * Opens a transaction and runs statements in it, all in one round trip. They carry no parameters. What is run before this
   * has answered waits for it; when it fails, that fails as well.
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
  /** Whether the session should be given back soon, because others wait. Absent: never. */
  shouldYield?(): boolean
  /** Gives the session back. One that failed in an unknown state is closed instead of reused. */
  release(broken?: boolean): void
}

export interface Engine {
  /** A session of its own; waits while all are taken. `party`: on whose behalf, where that matters (fair-connections.ts). */
  acquire(party?: Party): Promise<Session>
  /** Hands `run` an engine on the same database whose statements may take as long as they need. */
  unhurried<T>(run: (engine: Engine) => Promise<T>): Promise<T>
  /**
   * Stores something, to find out whether that is possible.
   * @throws when it is not, or has not been done within `limitMs`
   */
  probe(limitMs: number): Promise<void>
  close(): Promise<void>
}

/** The connection was lost while a commit was on its way: the transaction may stand or not. Ask by key before repeating. */
export class CommitUnknownError extends Error {
  override name = 'CommitUnknownError'
}

/** The transaction lost against a concurrent one and may simply be run again. */
export function isConflict(error: unknown): boolean {
  const code = errorCode(error)
  return code === '40001' || code === '40P01'
}

/**
 * What data can bring about by itself: numbers and times out of range, a text that its type or its encoding does not know, more than an
 * index, a tsvector or the stack has room for.
 * @source postgresql.org/docs/current/errcodes-appendix.html
 */
const UNSTORABLE = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05', '54000', '54001'])

/** The database does not take such data, and never will. */
export function isUnstorable(error: unknown): boolean {
  return UNSTORABLE.has(errorCode(error) ?? '')
}

/**
 * The server itself has ended the connection in answer to a statement: what was sent behind that statement, a commit too, was not
 * carried out.
 */
export function isLastWord(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'severity' in error && error.severity === 'FATAL'
}

/** The client has lost its connection before: a statement given to it does not leave. */
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
 * The database is out of reach, or takes no writes for now: connections refused or ended, a standby, a full disk, no memory or no
 * connections left. What failed by it has not been done, and may be done another time.
 */
export function isUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || SHORT_OF_RESOURCES.has(errorCode(error) ?? '')
}

/** What failed did so because the database is away; whether it was done may be unknown. */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) || error instanceof CommitUnknownError
}

/** Read-only transaction, disk full, out of memory, too many connections, a configured limit, input or output failed. */
const SHORT_OF_RESOURCES = new Set(['25006', '53100', '53200', '53300', '53400', '58030'])

function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
