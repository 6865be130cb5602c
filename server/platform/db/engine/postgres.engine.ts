// PostgreSQL as an engine: a pool of sessions. Statements that are run often are prepared once per connection.
import type { CompiledQuery, QueryResult } from 'kysely'
import pg from 'pg'
import type { Logger } from '#server/platform/lib/logger.ts'
import {
  CommitUnknownError,
  type Engine,
  isConnectionLost,
  isNotSent,
  type Row,
  type Session,
  type TransactionMode,
} from './engine.ts'
import { installParsers } from './parsers.ts'
import { waitForDatabase } from './patience.ts'
import { clientConfig, PostgresClient } from './postgres.client.ts'
import { PostgresProbe } from './postgres.probe.ts'
import { statementNames } from './statement-names.ts'

/** Connections that serve requests. */
export const POOL_SIZE = 16
/** The migrator holds one connection for its lock and works on another. */
const MAINTENANCE_POOL_SIZE = 3
const IDLE_MS = 30_000
/** Longer than `statement_timeout`: a connection that does not answer by then leads nowhere. */
const ANSWER_MS = 35_000

/** @param url of the database; its role must own the tables */
export function postgresEngine(url: string, log: Logger): Engine {
  const serving = {
    ...clientConfig(url, 'server'),
    query_timeout: ANSWER_MS,
    max: POOL_SIZE,
    idleTimeoutMillis: IDLE_MS,
  }
  const probe = new PostgresProbe(url)
  const pooled = pooledEngine(serving, probe, log)
  return {
    ...pooled,
    async close() {
      await probe.close()
      await pooled.close()
    },
    async unhurried(run) {
      const config = { ...clientConfig(url, 'maintenance', []), max: MAINTENANCE_POOL_SIZE }
      const engine = pooledEngine(config, probe, log)
      try {
        return await run(engine)
      } finally {
        await engine.close()
      }
    },
  }
}

function pooledEngine(config: pg.PoolConfig, probe: PostgresProbe, log: Logger): Engine {
  installParsers(pg.types)
  const pool = new pg.Pool({ ...config, Client: PostgresClient })
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ error }, 'idle database connection lost')
  })
  const nameOf = statementNames()
  const engine: Engine = {
    async acquire() {
      const client = await waitForDatabase(() => pool.connect())
      return new PostgresSession(client as PooledClient, nameOf)
    },
    unhurried: (run) => run(engine),
    probe: (limitMs) => probe.run(limitMs),
    close: () => pool.end(),
  }
  return engine
}

type PooledClient = pg.PoolClient & PostgresClient

class PostgresSession implements Session {
  readonly #client: PooledClient
  readonly #nameOf: (sql: string) => string | undefined

  constructor(client: PooledClient, nameOf: (sql: string) => string | undefined) {
    this.#client = client
    this.#nameOf = nameOf
  }

  begin({ isolation, readOnly }: TransactionMode, setup: string[]): Promise<Row[]> {
    const begin = `begin isolation level ${isolation}${readOnly ? ' read only' : ''}`
    this.#client.holdBack() // usually BEGIN and the first statement
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

  async commit(): Promise<void> {
    const { command } = await this.#client.query('commit').catch((error: unknown) => {
      if (!isConnectionLost(error) || isNotSent(error)) throw error
      throw new CommitUnknownError('The connection was lost during a commit.', { cause: error })
    })
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back because an earlier statement failed.')
  }

  async rollback(): Promise<void> {
    await this.#client.query('rollback')
  }

  release(broken = false): void {
    this.#client.release(broken)
  }
}

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
