// One moment of the database for live queries: a read-only transaction whose scope is switched between reads.
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import type { Change, Db, Dependency, Scope, Snapshot } from './database.ts'
import { type Engine, isUnavailable, type Session } from './engine/engine.ts'
import { assertOutsideTransaction, markInsideTransaction } from './engine/root-connection-guard.ts'
import { ReadTracker } from './live/tracking.ts'
import { changesBetween } from './live/write-log.ts'
import { scopeKey, scopeStatements } from './tenancy/scope.ts'
import { scopedDatabase, type TransactionState } from './tenancy/scoped-database.ts'
import { rollBack } from './transactions.ts'

/** A failed read rolls back to the savepoint, so that one query's error does not end the snapshot of the others. */
const SETUP = ['savepoint reads', 'select pg_current_snapshot()::text as position']
/** The scope of the connection's own role, before any other is set. */
const OWNER = 'owner'

/** Opens a snapshot, hands it to `run`, and closes it. */
export async function runSnapshot<T>(
  engine: Engine,
  run: (snapshot: Snapshot) => Promise<T>,
  party?: Party,
): Promise<T> {
  assertOutsideTransaction()
  const session = await engine.acquire(party)
  const state: TransactionState = { hasWritten: false, failure: null, isOver: false }
  let broken = false
  try {
    const rows = await session.begin({ isolation: 'repeatable read', readOnly: true }, SETUP)
    const snapshot = new SessionSnapshot(session, state, String(rows[0]?.position))
    const value = await markInsideTransaction(() => run(snapshot))
    state.isOver = true
    await session.commit()
    return value
  } catch (error) {
    state.isOver = true
    broken = isUnavailable(error) || !(await rollBack(session))
    throw error
  } finally {
    session.release(broken)
  }
}

class SessionSnapshot implements Snapshot {
  readonly position: string
  readonly #session: Session
  readonly #state: TransactionState
  #scope: string = OWNER
  #queue: Promise<unknown> = Promise.resolve()

  constructor(session: Session, state: TransactionState, position: string) {
    this.#session = session
    this.#state = state
    this.position = position
  }

  shouldYield(): boolean {
    return this.#session.shouldYield?.() ?? false
  }

  async rest(): Promise<void> {
    await this.#session.rest?.()
  }

  changesSince(position: string): Promise<Change[] | null> {
    return this.#next(async () => {
      this.#enter(OWNER, ['reset role'])
      return changesBetween(this.#session, position, this.position)
    })
  }

  read<T>(scope: Scope, run: (db: Db) => Promise<T>): Promise<{ value: T; dependencies: Dependency[] }> {
    return this.#next(async () => {
      this.#enter(scopeKey(scope), scopeStatements(scope))
      const tracker = new ReadTracker()
      const db = scopedDatabase(this.#session, { scope, state: this.#state, tracker })
      const value = await this.#recovering(() => run(db))
      return { value, dependencies: tracker.dependencies() }
    })
  }

  /** Reads run one after another: they share one connection, whose role determines what is visible. */
  #next<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(run, run)
    this.#queue = result
    return result
  }

  /**
   * After a failed statement, whether its error was reported or swallowed, rolls back to the savepoint, which keeps the snapshot and resets
   * the scope.
   */
  async #recovering<T>(run: () => Promise<T>): Promise<T> {
    this.#state.failure = null
    try {
      return await run()
    } finally {
      if (this.#state.failure !== null) await this.#recover()
    }
  }

  async #recover(): Promise<void> {
    try {
      await this.#session.script('rollback to savepoint reads')
      this.#scope = OWNER
    } catch {
      // The connection is gone: the failed statement has reported it, and every later one will.
    }
  }

  /** Does not wait for the answer. Should this statement fail, the transaction is aborted and no later one can answer. */
  #enter(scope: string, statements: string[]): void {
    if (scope === this.#scope) return
    this.#session.script(statements.join(';')).catch((error: unknown) => {
      this.#state.failure ??= error
    })
    this.#scope = scope
  }
}
