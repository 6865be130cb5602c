// The embedded database as an engine: one session at a time, handed out in the order of asking.
import type { CompiledQuery, QueryResult } from 'kysely'
import type { EmbeddedDatabase } from './embedded.ts'
import {
  CommitUnknownError,
  type Engine,
  isConnectionLost,
  type Row,
  type Session,
  type TransactionMode,
} from './engine.ts'

/** Milliseconds a migration may keep the thread busy. */
const UNHURRIED_MS = 30 * 60_000

/** @param database open; closed together with the engine */
export function embeddedEngine(database: EmbeddedDatabase): Engine {
  let tail: Promise<void> = Promise.resolve()
  const engine: Engine = {
    name: 'embedded',
    async acquire() {
      const before = tail
      const { promise, resolve } = Promise.withResolvers<void>()
      tail = promise
      await before
      return new EmbeddedSession(database, resolve)
    },
    async unhurried(run) {
      const { blockedLimitMs, transactionLimitMs } = database
      database.blockedLimitMs = UNHURRIED_MS
      database.transactionLimitMs = UNHURRIED_MS
      try {
        return await run(engine)
      } finally {
        Object.assign(database, { blockedLimitMs, transactionLimitMs })
      }
    },
    async probe() {
      const session = await engine.acquire()
      await session.script('select 1').finally(() => session.release())
    },
    close: () => database.close(),
  }
  return engine
}

class EmbeddedSession implements Session {
  readonly #database: EmbeddedDatabase
  readonly #released: () => void
  #begun: Promise<unknown> | undefined
  #transaction: number | undefined
  #expiry: NodeJS.Timeout | undefined
  #hasFailed = false

  constructor(database: EmbeddedDatabase, released: () => void) {
    this.#database = database
    this.#released = released
  }

  /** One connection means one transaction at a time: each is serial, whatever isolation it asks for. */
  begin({ readOnly }: TransactionMode, setup: string[]): Promise<Row[]> {
    const begun = this.#begin([...(readOnly ? ['set transaction read only'] : []), ...setup].join(';'))
    this.#begun = begun
    return begun
  }

  async #begin(sql: string): Promise<Row[]> {
    const { transaction, rows } = await this.#database.begin(sql)
    this.#transaction = transaction
    this.#hasFailed = false
    this.#expiry = setTimeout(() => {
      void this.#database.rollback(transaction).catch(() => {})
    }, this.#database.transactionLimitMs)
    return rows
  }

  async script(sql: string): Promise<Row[]> {
    if (this.#begun) await this.#begun
    return (await this.#watched(this.#database.exec(sql, this.#transaction))).rows
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#begun) await this.#begun
    const result = await this.#watched(this.#database.query(query.sql, query.parameters, this.#transaction))
    const rows = result.rows as R[]
    return result.affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(result.affectedRows) }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Streaming is not available: read in pages.')
  }

  async #watched<T>(call: Promise<T>): Promise<T> {
    try {
      return await call
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }

  async commit(): Promise<void> {
    // After a failed statement COMMIT would roll back without a word; any statement tells.
    if (this.#hasFailed) await this.script('select 1')
    const transaction = this.#end()
    try {
      await this.#database.commit(transaction)
    } catch (error) {
      if (isConnectionLost(error))
        throw new CommitUnknownError('The database thread died during a commit.', { cause: error })
      throw error
    }
  }

  /** Nothing to be saved: the thread is asked once more. */
  async commitBehind(statement: Promise<unknown>): Promise<void> {
    await statement
    await this.commit()
  }

  async rollback(): Promise<void> {
    if (this.#transaction !== undefined) await this.#database.rollback(this.#end())
  }

  #end(): number {
    clearTimeout(this.#expiry)
    const transaction = this.#transaction
    if (transaction === undefined) throw new Error('No transaction is open.')
    this.#transaction = undefined
    this.#begun = undefined
    return transaction
  }

  release(): void {
    this.#released()
  }
}
