// PostgreSQL as an engine: a pool of sessions. Statements that are run often are prepared once per connection.
import type { CompiledQuery, QueryResult } from 'kysely'
import pg from 'pg'
import type { Logger } from '#server/lib/logger.ts'
import {
  CommitUnknownError,
  type Engine,
  isConnectionLost,
  type Row,
  type Session,
  type TransactionMode,
} from './engine.ts'
import { installParsers } from './parsers.ts'
import { statementNames } from './statement-names.ts'

const POOL_SIZE = 16
/** The migrator holds one connection for its lock and works on another. */
const MAINTENANCE_POOL_SIZE = 3
const IDLE_MS = 30_000
const CONNECT_MS = 5000
const TIMEOUTS = ['lock_timeout=5s', 'statement_timeout=30s', 'idle_in_transaction_session_timeout=30s']
/** A statement is planned once for each connection, for no parameters in particular, and never compiled (docs/decisions/053). */
const PLANNING = ['plan_cache_mode=force_generic_plan', 'jit=off']

/** How every connection of this server is made. `purpose` shows in `pg_stat_activity`. */
export function clientConfig(url: string, purpose: string, settings = [...TIMEOUTS, ...PLANNING]): pg.ClientConfig {
  return {
    connectionString: url,
    keepAlive: true,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    application_name: `parley ${purpose}`,
  }
}

/** @param url of the database; its role must own the tables */
export function postgresEngine(url: string, log: Logger): Engine {
  return {
    ...pooledEngine({ ...clientConfig(url, 'server'), max: POOL_SIZE, idleTimeoutMillis: IDLE_MS }, log),
    async unhurried(run) {
      const engine = pooledEngine({ ...clientConfig(url, 'maintenance', []), max: MAINTENANCE_POOL_SIZE }, log)
      try {
        return await run(engine)
      } finally {
        await engine.close()
      }
    },
  }
}

function pooledEngine(config: pg.PoolConfig, log: Logger): Engine {
  installParsers(pg.types)
  const pool = new pg.Pool(config)
  pool.on('error', (error) => log.warn({ error }, 'idle database connection lost')) // unheard, it would end the process
  const nameOf = statementNames()
  const engine: Engine = {
    name: 'postgres',
    acquire: async () => new PostgresSession((await pool.connect()) as Client, nameOf),
    unhurried: (run) => run(engine),
    close: () => pool.end(),
  }
  return engine
}

/** The connection behind a client is public in `pg` and missing in its types. */
type Client = pg.PoolClient & { connection: { stream: { cork(): void; uncork(): void } } }

class PostgresSession implements Session {
  readonly #client: Client
  readonly #nameOf: (sql: string) => string | undefined

  constructor(client: Client, nameOf: (sql: string) => string | undefined) {
    this.#client = client
    this.#nameOf = nameOf
    client.on('error', ignore) // a query in flight fails by itself; unheard, the event would end the process
  }

  begin({ isolation, readOnly }: TransactionMode, setup: string[]): Promise<Row[]> {
    const begin = `begin isolation level ${isolation}${readOnly ? ' read only' : ''}`
    this.#holdBack()
    return this.script([begin, ...setup].join(';'))
  }

  async script(sql: string): Promise<Row[]> {
    const results: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await this.#client.query<Row>(sql)
    return (Array.isArray(results) ? results.at(-1)?.rows : results.rows) ?? []
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const name = this.#nameOf(query.sql)
    const values = query.parameters as unknown[]
    const result = await this.#client.query(name ? { name, text: query.sql, values } : { text: query.sql, values })
    return WRITES.has(result.command)
      ? { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) }
      : { rows: result.rows }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Streaming is not available: read in pages.')
  }

  /** Sends what is written in this turn of the event loop as one packet: usually BEGIN and the first statement. */
  #holdBack(): void {
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  async commit(): Promise<void> {
    const { command } = await this.#client.query('commit').catch((error: unknown) => {
      if (!isConnectionLost(error)) throw error
      throw new CommitUnknownError('The connection was lost during a commit.', { cause: error })
    })
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back because an earlier statement failed.')
  }

  commitBehind(): Promise<void> {
    return this.commit()
  }

  async rollback(): Promise<void> {
    await this.#client.query('rollback')
  }

  release(broken = false): void {
    this.#client.off('error', ignore)
    this.#client.release(broken)
  }
}

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function ignore(): void {}
