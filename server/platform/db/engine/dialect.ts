// The root database: Kysely over an engine, each statement on a session of its own. For libraries that bring their own SQL.
import {
  type Dialect,
  type Driver,
  Kysely,
  type LogEvent,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RootOperationNode,
  type TransactionSettings,
} from 'kysely'
import type { Isolation } from '../database.ts'
import { TRACKED } from '../keys.ts'
import { tableSource } from '../nodes.ts'
import type { Tables } from '../tables/database.ts'
import type { Engine, Session } from './engine.ts'
import { noteOutage } from './outage.ts'
import { assertOutsideTransaction } from './root-connection-guard.ts'

/**
 * The root database over an engine. Its driver refuses to work inside a transaction's callback.
 *
 * @param afterWrite called after each insert, update or delete of a tracked table, and after each commit. Not after raw SQL:
 * the job queue polls with it.
 */
export function rootDatabase(engine: Engine, afterWrite: () => void = () => {}): Kysely<Tables> {
  const log = (event: LogEvent) => {
    if (event.level === 'error') noteOutage(event.error)
    else if (writesTrackedTable(event.query.query)) afterWrite()
  }
  return new Kysely<Tables>({ dialect: engineDialect(engine, afterWrite), log })
}

function engineDialect(engine: Engine, afterCommit: () => void): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new EngineDriver(engine, afterCommit),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function writesTrackedTable(node: RootOperationNode): boolean {
  const target = writeTarget(node)
  const source = target && tableSource(target)
  return source ? source.table in TRACKED : false
}

function writeTarget(node: RootOperationNode): OperationNode | undefined {
  if (node.kind === 'InsertQueryNode') return node.into
  if (node.kind === 'UpdateQueryNode') return node.table
  return node.kind === 'DeleteQueryNode' ? node.from.froms[0] : undefined
}

class EngineDriver implements Driver {
  readonly #engine: Engine
  readonly #afterCommit: () => void

  constructor(engine: Engine, afterCommit: () => void) {
    this.#engine = engine
    this.#afterCommit = afterCommit
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    assertOutsideTransaction()
    try {
      return await this.#engine.acquire()
    } catch (error) {
      noteOutage(error)
      throw error
    }
  }

  async releaseConnection(session: Session): Promise<void> {
    session.release()
  }

  async beginTransaction(session: Session, settings: TransactionSettings): Promise<void> {
    const isolation = (settings.isolationLevel ?? 'read committed') as Isolation
    await session.begin({ isolation, readOnly: settings.accessMode === 'read only' }, [])
  }

  async commitTransaction(session: Session): Promise<void> {
    await session.commit()
    this.#afterCommit()
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
