// The embedded database as the rest of the server sees it: a thread that is watched, restarted, checkpointed and vacuumed.
// What runs inside the thread is in embedded.worker.ts.
import { Worker } from 'node:worker_threads'
import type { Answer, Request, Rows, WorkerStart } from './embedded.protocol.ts'
import { lockFolder } from './lock.ts'

const WATCH_MS = 1000
const MAINTENANCE_MS = 10_000
/** A gap in our own timer longer than this was ours (suspended, in a debugger), not the thread's. */
const PAUSE_MS = 5000
const CHECKPOINT_BYTES = 48e6
const CHECKPOINT_MS = 60_000

type Pending = { resolve(value: unknown): void; reject(error: Error): void }
type Listener = { channel: string; callback(payload: string): void }

/** Where the threads of databases come from and go to. One that answers `close` may be another database's next. */
export type Threads = {
  start(data: WorkerStart): Worker
  /** @param isClosed whether the thread has answered `close` */
  end(thread: Worker, isClosed: boolean): Promise<unknown>
}

export type EmbeddedOptions = {
  /** By default each database has a thread of its own, which ends with it. */
  threads?: Threads | undefined
  /** Folder of the data, owned while open; undefined: in memory. */
  dir?: string | undefined
  /** In memory only: a dump to start from. */
  dump?: Uint8Array | undefined
  /** Told when the thread died and is opened again. Calls in flight have failed by then. */
  onRestart?: (reason: string) => void
}

const OWN_THREADS: Threads = {
  start: (workerData) =>
    new Worker(new URL('./embedded.worker.ts', import.meta.url), {
      workerData,
      execArgv: [], // flags meant for the main script break the thread's
    }),
  end: (thread) => thread.terminate(),
}

/** PGlite in a thread of its own. Close enough to PGlite's interface for pg-boss. */
export class EmbeddedDatabase {
  /** Milliseconds without a sign of life after which a running query counts as runaway and the thread is killed. */
  blockedLimitMs = 30_000
  /** Milliseconds after which a forgotten transaction is rolled back. */
  transactionLimitMs = 30_000
  waitReady!: Promise<void>
  #ready = false
  #closed = false
  #closing: Promise<void> | undefined
  #worker!: Worker
  #next = 0
  #lastSign = 0
  #lastTick = Date.now()
  #timers: NodeJS.Timeout[] = []
  #checkpoint = { lsn: '0/0', at: 0 }
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Map<number, Listener>()
  readonly #options: EmbeddedOptions
  readonly #threads: Threads
  readonly #unlock: () => void

  /**
   * Opens the database, creating it when missing.
   * @throws Error naming the owner when another process has the folder open
   */
  static async open(options: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
    const unlock = options.dir === undefined ? () => {} : await lockFolder(options.dir)
    const database = new EmbeddedDatabase(options, unlock)
    try {
      await database.waitReady
    } catch (error) {
      unlock()
      throw error
    }
    database.#timers = [
      setInterval(() => database.#watch(), WATCH_MS).unref(),
      setInterval(() => void database.maintain().catch(() => {}), MAINTENANCE_MS).unref(),
    ]
    return database
  }

  private constructor(options: EmbeddedOptions, unlock: () => void) {
    this.#options = options
    this.#threads = options.threads ?? OWN_THREADS
    this.#unlock = unlock
    this.#start()
  }

  /** The thread runs and answers. False while it is opened again after a kill. */
  get ready(): boolean {
    return this.#ready
  }
  get closed(): boolean {
    return this.#closed
  }

  #start(): void {
    const { dir, dump } = this.#options
    const workerData: WorkerStart = { ...(dir !== undefined && { dir }), ...(dump && { dump }) }
    const worker = this.#threads.start(workerData)
    this.#worker = worker
    this.#ready = false
    let opened = false
    this.waitReady = new Promise((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('database thread exited')))
      worker.once('message', () => {
        opened = true
        this.#ready = true
        this.#lastSign = Date.now()
        resolve()
      })
    })
    this.waitReady.catch(() => {}) // a caller that waits sees it; nobody else need
    worker.on('message', (message: Answer) => this.#receive(message))
    worker.on('error', (error) => this.#fail(worker, error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => {
      this.#fail(worker, new Error('database thread exited'))
      if (opened && !this.#closed) this.#restart('thread exited')
    })
  }

  #receive(message: Answer): void {
    this.#lastSign = Date.now()
    if ('ready' in message) return
    if ('listener' in message) {
      this.#listeners.get(message.listener)?.callback(message.payload)
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if ('error' in message) pending?.reject(Object.assign(new Error(message.error.message), message.error))
    else pending?.resolve(message.result)
  }

  #fail(worker: Worker, error: Error): void {
    if (worker !== this.#worker) return
    this.#ready = false
    for (const pending of this.#pending.values()) pending.reject(error)
    this.#pending.clear()
  }

  #restart(reason: string): void {
    this.#start()
    const relisten = () => {
      for (const [id, { channel }] of this.#listeners) void this.#post({ op: 'listen', channel }, id).catch(() => {})
      this.#options.onRestart?.(reason)
    }
    this.waitReady.then(relisten, () => {})
  }

  /** Measures silence of the thread, not the age of a query: one that waits its turn is not killed. */
  #watch(): void {
    const now = Date.now()
    if (now - this.#lastTick > PAUSE_MS) this.#lastSign = now
    this.#lastTick = now
    if (!this.#ready) return
    if (now - this.#lastSign > this.blockedLimitMs) {
      this.#ready = false
      void this.#worker.terminate()
      return
    }
    this.#post({ op: 'ping' }).catch(() => {})
  }

  /** What a PostgreSQL server does by itself: checkpoints after much writing, vacuums the table that needs it most. */
  async maintain(): Promise<void> {
    if (this.#options.dir === undefined || !this.#ready) return
    const written = await this.query('select pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::float8 as bytes', [
      this.#checkpoint.lsn,
    ])
    const bytes = Number(written.rows[0]?.bytes)
    const isDue = bytes > CHECKPOINT_BYTES || (bytes > 0 && Date.now() - this.#checkpoint.at > CHECKPOINT_MS)
    if (isDue) {
      await this.exec('checkpoint')
      const { rows } = await this.query('select pg_current_wal_lsn()::text as lsn')
      this.#checkpoint = { lsn: String(rows[0]?.lsn), at: Date.now() }
    }
    const { rows } = await this.query(
      `select quote_ident(schemaname) || '.' || quote_ident(relname) as name from pg_stat_user_tables
       where n_dead_tup > 1000 + n_live_tup / 5 or n_mod_since_analyze > 1000 + n_live_tup / 5
       order by n_dead_tup desc limit 1`,
    )
    if (rows[0]) await this.exec(`vacuum analyze ${rows[0].name}`)
  }

  #post(request: Request, id = ++this.#next): Promise<unknown> {
    if (this.#closed) return Promise.reject(closedError())
    this.#closed = request.op === 'close' // the last that is asked: what came behind would meet whose the thread is next
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage({ ...request, id })
    })
  }

  async #call(request: Request): Promise<unknown> {
    if (this.#closed) throw closedError()
    if (!this.#ready) await this.waitReady
    return this.#post(request)
  }

  query(sql: string, params: readonly unknown[] = [], transaction?: number): Promise<Rows> {
    return this.#call({ op: 'query', sql, params, transaction }) as Promise<Rows>
  }

  /** Statements without parameters; answers the rows of the last. */
  exec(sql: string, transaction?: number): Promise<Rows> {
    return this.#call({ op: 'script', sql, transaction }) as Promise<Rows>
  }

  /** Opens a transaction and runs its first statements. Every other call waits until it ends. */
  async begin(sql: string): Promise<{ transaction: number; rows: Rows['rows'] }> {
    if (this.#closed) throw closedError()
    if (!this.#ready) await this.waitReady
    const transaction = ++this.#next
    const { rows } = (await this.#post({ op: 'begin', sql }, transaction)) as Rows
    return { transaction, rows }
  }
  async commit(transaction: number): Promise<void> {
    await this.#call({ op: 'commit', transaction })
  }
  async rollback(transaction: number): Promise<void> {
    await this.#call({ op: 'rollback', transaction })
  }

  /** @returns the function that stops listening. Listening survives a restart of the thread. */
  async listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>> {
    if (!this.#ready) await this.waitReady
    const id = ++this.#next
    this.#listeners.set(id, { channel, callback })
    await this.#post({ op: 'listen', channel }, id)
    return async () => {
      this.#listeners.delete(id)
      await this.#call({ op: 'unlisten', listener: id })
    }
  }

  /** The whole database as a compressed archive; opens only with the same build. */
  dump(): Promise<Uint8Array> {
    return this.#call({ op: 'dump' }) as Promise<Uint8Array>
  }

  /** Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    if (this.#options.dir !== undefined) await this.exec('checkpoint').catch(() => {})
    const closing = this.#call({ op: 'close' })
    const isClosed = await closing.then(
      () => true,
      () => false,
    )
    this.#closed = true
    this.#fail(this.#worker, closedError()) // nobody hears the answers any more
    await this.#threads.end(this.#worker, isClosed)
    this.#unlock()
  }
}

function closedError(): Error {
  return new Error('The database is closed.')
}
