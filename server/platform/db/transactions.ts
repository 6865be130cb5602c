// Runs one transaction: scope, isolation, repetition after conflicts, and an honest answer about the commit.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import type { Db, Scope, TransactionOptions } from './database.ts'
import {
  CommitUnknownError,
  type Engine,
  isConflict,
  isLastWord,
  isUnavailable,
  type Session,
  type TransactionMode,
} from './engine/engine.ts'
import { partyOf } from './engine/fair-connections.ts'
import { PATIENCE_MS } from './engine/patience.ts'
import { assertOutsideTransaction, markInsideTransaction } from './engine/root-connection-guard.ts'
import { scopeStatements } from './tenancy/scope.ts'
import { scopedDatabase, type TransactionState } from './tenancy/scoped-database.ts'

const CONFLICT_ATTEMPTS = 12
const LOST_ATTEMPTS = 5
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 250

export type TransactionRunner = {
  engine: Engine
  /** Called after the commit of a transaction that may have written. */
  committed: (skipsDispatch: boolean) => void
  /** The party that the connection is charged to; defaults to the organization whose rows are seen, or the party of the calls. */
  party?: Party
}

/**
 * Runs a transaction. Retries from its start after a conflict with a concurrent one, or when the database goes away before the commit.
 * @throws CommitUnknownError when the connection was lost during the commit
 */
export async function runTransaction<T>(
  runner: TransactionRunner,
  scope: Scope,
  run: (db: Db) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  assertOutsideTransaction()
  const readOnly = options.readOnly ?? false
  const mode: TransactionMode = {
    isolation: options.isolation ?? (readOnly ? 'repeatable read' : 'serializable'),
    readOnly,
  }
  const tries: Tries = { conflicts: 0, losses: 0, awaySince: null }
  for (let attempt = 1; ; attempt++) {
    const startedAt = performance.now()
    const state: TransactionState = { hasWritten: false, failure: null, isOver: false }
    try {
      const value = await attemptOnce(runner, { mode, statements: options.statements ?? null }, scope, state, run)
      if (state.hasWritten && !readOnly) runner.committed(options.skipsDispatch?.() ?? false)
      return value
    } catch (error) {
      const cause = readOnly && error instanceof CommitUnknownError ? error.cause : error // what was only read can be read again
      if (!mayRepeat(cause, tries, startedAt)) throw cause
      await sleep(pauseMs(attempt))
    }
  }
}

async function attemptOnce<T>(
  { engine, party }: TransactionRunner,
  { mode, statements }: { mode: TransactionMode; statements: number | null },
  scope: Scope,
  state: TransactionState,
  run: (db: Db) => Promise<T>,
): Promise<T> {
  const setup = scopeStatements(scope)
  const session = await engine.acquire(party ?? partyOf(scope))
  const begun = session.begin(mode, setup)
  begun.catch(() => {}) // checked below: the first statement may be sent together with BEGIN
  const counted = statements === null ? null : new CountedSession(session, statements)
  let broken = false
  let isLeft = false
  try {
    const db = scopedDatabase(counted ?? session, { scope, state, tracker: null })
    const value = await markInsideTransaction(() => run(db))
    state.isOver = true
    await begun
    const committed = counted?.committed ?? session.commit()
    // A snapshot read is valid whatever becomes of the commit, so it is not awaited.
    isLeft = mode.readOnly && state.failure === null
    if (isLeft) leave(session, committed)
    else await committed
    return value
  } catch (error) {
    state.isOver = true
    const first = (await failureOf(begun)) ?? (counted && state.failure)
    const cause = (isLastWord(first) ? null : await unknownEnd(counted)) ?? first ?? error
    broken = isUnavailable(cause) || cause instanceof CommitUnknownError || !(await rollBack(session))
    throw cause
  } finally {
    if (!isLeft) session.release(broken)
  }
}

/** A session that sends the commit right behind the last of a known number of statements. */
class CountedSession implements DatabaseConnection {
  readonly #session: Session
  #left: number
  /** Settles with the commit, once that was sent. */
  committed: Promise<void> | null = null

  constructor(session: Session, statements: number) {
    this.#session = session
    this.#left = statements
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#left === 0) throw new Error('The transaction has sent as many statements as were announced.')
    this.#left -= 1
    const answer = this.#session.executeQuery<R>(query)
    if (this.#left === 0) {
      this.committed = this.#session.commit()
      this.committed.catch(() => {}) // checked when the callback has ended
    }
    return answer
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Streaming is not available: read in pages.')
  }
}

/** A commit that was sent together with a statement may have succeeded although the statement was never answered. */
async function unknownEnd(counted: CountedSession | null): Promise<CommitUnknownError | null> {
  const failure = counted?.committed ? await failureOf(counted.committed) : null
  return failure instanceof CommitUnknownError ? failure : null
}

/** The rejection reason of a promise; null when it was fulfilled. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (failure: unknown) => failure,
  )
}

/** Releases a session once the read-only transaction in it has ended. */
function leave(session: Session, committed: Promise<void>): void {
  void committed.then(
    () => session.release(),
    () => session.release(true),
  )
}

/** @returns whether the session may be used again */
export async function rollBack(session: Session): Promise<boolean> {
  try {
    await session.rollback()
    return true
  } catch {
    return false
  }
}

/** Failures of one transaction so far. `awaySince`: when the attempt began that first found the database away; null: none has. */
type Tries = { conflicts: number; losses: number; awaySince: number | null }

/** Counts the failure. */
function mayRepeat(error: unknown, tries: Tries, startedAt: number): boolean {
  if (error instanceof CommitUnknownError) return false
  if (isConflict(error)) return ++tries.conflicts < CONFLICT_ATTEMPTS
  if (!isUnavailable(error)) return false
  tries.awaySince ??= startedAt
  return ++tries.losses < LOST_ATTEMPTS && performance.now() - tries.awaySince < PATIENCE_MS
}

/** Grows, with jitter, so that the losers of one conflict do not collide again. */
function pauseMs(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random())
}
