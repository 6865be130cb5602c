// Creates every connection to PostgreSQL. A connection failure becomes an error of its queries and never ends the process.
import pg from 'pg'
import { FrameCheck } from './postgres.frames.ts'

const CONNECT_MS = 5000
const TIMEOUTS = ['lock_timeout=5s', 'statement_timeout=30s', 'idle_in_transaction_session_timeout=30s']
/** A statement is planned once for each connection, for no parameters in particular, and never compiled (docs/decisions/053-one-sql-plan.md). */
const PLANNING = ['plan_cache_mode=force_generic_plan', 'jit=off']

/** The settings of a connection that serves requests. */
const SERVING = [...TIMEOUTS, ...PLANNING]

/** How every connection of this server is made. `purpose` shows in `pg_stat_activity`. */
export function clientConfig(url: string, purpose: string, settings = SERVING): pg.ClientConfig {
  return {
    connectionString: url,
    keepAlive: true,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    application_name: `parley ${purpose}`,
  }
}

/** The connection behind a client is public in `pg` and missing in its types. */
type Inner = { connection: { stream: Stream; attachListeners(stream: Stream): void } }
type Stream = NodeJS.ReadableStream & { cork(): void; uncork(): void; destroy(error?: Error): void }

/**
 * A client whose errors always have a listener: an error that comes with the last answer is emitted before any caller could add one.
 * Its queries in flight fail with the same error.
 */
export class PostgresClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => {})
    const { connection } = this as unknown as Inner
    const attach = connection.attachListeners.bind(connection)
    connection.attachListeners = (stream) => {
      attach(stream)
      guardReading(stream)
    }
  }

  /** Sends everything written in this turn of the event loop as one packet. */
  holdBack(): void {
    const { stream } = (this as unknown as Inner).connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  /** Ends the connection without waiting for anything: its queries fail. */
  destroy(error: Error): void {
    ;(this as unknown as Inner).connection.stream.destroy(error)
  }
}

/** `pg` reads in a listener of the socket: what it throws there, and bytes that are no protocol, end the connection only. */
function guardReading(stream: Stream): void {
  const frames = new FrameCheck()
  for (const read of stream.listeners('data') as ((chunk: Buffer) => void)[]) {
    stream.off('data', read)
    stream.on('data', (chunk: Buffer) => {
      try {
        frames.read(chunk)
        read(chunk)
      } catch (error) {
        stream.destroy(new SpoiltConnectionError('The database sent what cannot be read.', { cause: error }))
      }
    })
  }
}

/** Carries the code of a protocol violation, by which it counts as a lost connection. */
class SpoiltConnectionError extends Error {
  override name = 'SpoiltConnectionError'
  readonly code = '08P01'
}
