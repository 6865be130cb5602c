// Runs one transaction: scope, isolation, repetition after conflicts, and an honest answer about the commit.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Scope, TransactionOptions } from './database.ts'
import {
  CommitUnknownError,
  type Engine,
  isConflict,
  isConnectionLost,
  type Session,
  type TransactionMode,
} from './engine.ts'
import { assertOutsideTransaction, markInsideTransaction } from './guard.ts'
import { scopeStatements } from './scope.ts'
import { scopedDatabase, type TransactionState } from './scoped-database.ts'

const CONFLICT_ATTEMPTS = 12
const LOST_ATTEMPTS = 3
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 250

export type TransactionRunner = {
  engine: Engine
  /** Called after the commit of a transaction that may have written. */
  committed: () => void
}

/**
 * Runs a transaction. A conflict with a concurrent one, and a connection lost before the commit, repeat it from its start.
 * @throws CommitUnknownError when the connection was lost during the commit
 */
export async function runTransaction<T>(
  { engine, committed }: TransactionRunner,
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
  for (let attempt = 1; ; attempt++) {
    const state: TransactionState = { hasWritten: false, hasFailed: false, isOver: false }
    try {
      const value = await attemptOnce(engine, mode, scope, state, run)
      if (state.hasWritten && !readOnly) committed()
      return value
    } catch (error) {
      if (!mayRepeat(error, attempt)) throw error
      await sleep(pauseMs(attempt))
    }
  }
}

async function attemptOnce<T>(
  engine: Engine,
  mode: TransactionMode,
  scope: Scope,
  state: TransactionState,
  run: (db: Db) => Promise<T>,
): Promise<T> {
  const setup = scopeStatements(scope)
  const session = await engine.acquire()
  const begun = session.begin(mode, setup)
  begun.catch(() => {}) // looked at below: the first statement may travel together with BEGIN
  let broken = false
  let isLeft = false
  try {
    const db = scopedDatabase(session, { scope, state, tracker: null })
    const value = await markInsideTransaction(() => run(db))
    state.isOver = true
    await begun
    // What was read at one moment is true of it whatever becomes of the commit: nobody waits for that.
    isLeft = mode.readOnly && !state.hasFailed
    if (isLeft) leave(session)
    else await session.commit()
    return value
  } catch (error) {
    state.isOver = true
    const cause = await begun.then(
      () => error,
      (failure: unknown) => failure,
    )
    broken = isConnectionLost(cause) || cause instanceof CommitUnknownError || !(await rollBack(session))
    throw cause
  } finally {
    if (!isLeft) session.release(broken)
  }
}

/** Ends a transaction that has only read, and gives its session back then. */
function leave(session: Session): void {
  void session.commit().then(
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

function mayRepeat(error: unknown, attempt: number): boolean {
  if (error instanceof CommitUnknownError) return false
  if (isConflict(error)) return attempt < CONFLICT_ATTEMPTS
  return isConnectionLost(error) && attempt < LOST_ATTEMPTS
}

/** Grows, with jitter, so that the losers of one conflict do not meet again. */
function pauseMs(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random())
}
