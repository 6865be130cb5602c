// The `Db` passed to stores: Kysely bound to one transaction and one scope. Its executor binds queries to the organization and records what
// they read; adding or removing plugins cannot bypass either.
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  type KyselyPlugin,
  type OperationNode,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  Transaction,
} from 'kysely'
import type { Db, Scope } from '../database.ts'
import { rememberingCompiler } from '../engine/compiled-sql.ts'
import { isAborted } from '../engine/engine.ts'
import type { ReadTracker } from '../live/tracking.ts'
import type { Tables } from '../tables/database.ts'
import { bindToOrganization } from './tenant.ts'

/** What one transaction knows about itself. */
export type TransactionState = {
  /** Some statement was neither a plain read nor a write that touched no row. */
  hasWritten: boolean
  /** Error of the first statement that failed; null while none has. Later statements fail only because of it. */
  failure: unknown
  /** Set when it ended: nothing may be run on it any more. */
  isOver: boolean
}

type Binding = { scope: Scope; state: TransactionState; tracker: ReadTracker | null }

const compiler = new PostgresQueryCompiler()
const adapter = new PostgresAdapter()
const driver = new DummyDriver()
const compile = rememberingCompiler((node, queryId) => compiler.compileQuery(node, queryId))

/** A database over one session, in one scope. With a tracker: reads only, and only such as can be tracked. */
export function scopedDatabase(session: DatabaseConnection, binding: Binding): Db {
  // Statements that do not wait for one another travel together; the session runs them in the order in which they were sent.
  const connections: ConnectionProvider = { provideConnection: (consumer) => consumer(session) }
  const executor = new ScopedExecutor(binding, connections)
  const dialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createIntrospector: () => {
      throw new Error('Not available inside a transaction.')
    },
  }
  return new Transaction<Tables>({ config: { dialect }, dialect, driver, executor })
}

class ScopedExecutor extends DefaultQueryExecutor {
  readonly #binding: Binding
  readonly #connections: ConnectionProvider

  constructor(binding: Binding, connections: ConnectionProvider, plugins: KyselyPlugin[] = []) {
    super(compiler, adapter, connections, plugins)
    this.#binding = binding
    this.#connections = connections
  }

  override transformQuery<Node extends RootOperationNode>(node: Node, queryId: QueryId): Node {
    const { scope, tracker } = this.#binding
    let query = super.transformQuery(node, queryId)
    if (scope.kind === 'organization') query = bindToOrganization(query, scope.organizationId)
    tracker?.record(query)
    return query
  }

  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    return compile(node, queryId)
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { state, tracker } = this.#binding
    if (state.isOver) throw new Error('The transaction is over.')
    tracker?.assertRecorded(query.query)
    const mayWrite = !isPlainRead(query.query)
    try {
      const result = await super.executeQuery<R>(query)
      if (mayWrite && !hasTouchedNothing(query.sql, result)) state.hasWritten = true
      return result
    } catch (error) {
      state.hasWritten ||= mayWrite
      state.failure ??= error
      throw isAborted(error) ? state.failure : error // of statements that travel together a later one may be noticed sooner
    }
  }

  override withPlugins(plugins: ReadonlyArray<KyselyPlugin>): ScopedExecutor {
    return this.#with([...this.plugins, ...plugins])
  }
  override withPlugin(plugin: KyselyPlugin): ScopedExecutor {
    return this.#with([...this.plugins, plugin])
  }
  override withPluginAtFront(plugin: KyselyPlugin): ScopedExecutor {
    return this.#with([plugin, ...this.plugins])
  }
  override withoutPlugins(): ScopedExecutor {
    return this.#with([])
  }
  override withConnectionProvider(connections: ConnectionProvider): ScopedExecutor {
    return new ScopedExecutor(this.#binding, connections, [...this.plugins])
  }

  #with(plugins: KyselyPlugin[]): ScopedExecutor {
    return new ScopedExecutor(this.#binding, this.#connections, plugins)
  }
}

/** A SELECT without common table expressions, which may write. */
function isPlainRead(node: OperationNode): boolean {
  return node.kind === 'SelectQueryNode' && !('with' in node && node.with)
}

/** A plain INSERT, UPDATE or DELETE that found no row: common table expressions before it could have written nevertheless. */
function hasTouchedNothing(text: string, { numAffectedRows }: QueryResult<unknown>): boolean {
  return numAffectedRows === 0n && /^\s*(insert|update|delete)\b/i.test(text)
}
