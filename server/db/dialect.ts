// The root database: Kysely over an engine, each statement on a session of its own. For libraries that bring their own SQL.
import {
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import type { Isolation } from './database.ts'
import type { Engine, Session } from './engine.ts'
import { assertOutsideTransaction } from './guard.ts'
import type { Tables } from './tables/database.ts'

/** The dialect of an engine. Its driver refuses to work inside a transaction's callback. */
export function engineDialect(engine: Engine): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new EngineDriver(engine),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** The root database over an engine. */
export function rootDatabase(engine: Engine): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: engineDialect(engine) })
}

class EngineDriver implements Driver {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    assertOutsideTransaction()
    return this.#engine.acquire()
  }

  async releaseConnection(session: Session): Promise<void> {
    session.release()
  }

  async beginTransaction(session: Session, settings: TransactionSettings): Promise<void> {
    const isolation = (settings.isolationLevel ?? 'read committed') as Isolation
    await session.begin({ isolation, readOnly: settings.accessMode === 'read only' }, [])
  }

  commitTransaction(session: Session): Promise<void> {
    return session.commit()
  }

  rollbackTransaction(session: Session): Promise<void> {
    return session.rollback()
  }

  async savepoint(session: Session, name: string): Promise<void> {
    await session.script(`savepoint "${name}"`)
  }

  async rollbackToSavepoint(session: Session, name: string): Promise<void> {
    await session.script(`rollback to savepoint "${name}"`)
  }

  async releaseSavepoint(session: Session, name: string): Promise<void> {
    await session.script(`release savepoint "${name}"`)
  }

  destroy(): Promise<void> {
    return this.#engine.close()
  }
}
