// What the database thread does with the calls of the main thread: runs them on its one connection and answers.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import type { PGlite, Transaction } from '@electric-sql/pglite'
import type { Answer, Call, Rows } from './embedded.protocol.ts'

type Work = Exclude<Call, { op: 'close' }>
type OpenTransaction = { transaction: Transaction; end(error?: Error): void; closed: Promise<unknown> }

const ERROR_FIELDS = [
  'code',
  'severity',
  'detail',
  'hint',
  'position',
  'schema',
  'table',
  'column',
  'constraint',
  'where',
]

/**
 * Answers calls from now on, and says that it does.
 * @param end does what closing means
 */
export function answerCalls(port: MessagePort, database: PGlite, end: (calls: Calls) => Promise<void>): void {
  const post = (message: Answer) => port.postMessage(message)
  const calls = new Calls(database, post)
  port.on('message', async (call: Call) => {
    try {
      post({ id: call.id, result: call.op === 'close' ? await end(calls) : await calls.answer(call) })
    } catch (error) {
      post({ id: call.id, error: plainError(error) })
    }
  })
  post({ ready: true })
}

/** The open transactions, listeners and unfinished calls of one connection. */
export class Calls {
  readonly #database: PGlite
  readonly #post: (message: Answer) => void
  readonly #transactions = new Map<number, OpenTransaction>()
  readonly #listeners = new Map<number, () => Promise<void>>()
  #unfinished = 0

  constructor(database: PGlite, post: (message: Answer) => void) {
    this.#database = database
    this.#post = post
  }

  async answer(call: Work): Promise<unknown> {
    this.#unfinished++
    try {
      return await this.#run(call)
    } finally {
      this.#unfinished--
    }
  }

  /** Rolls back what is open, waits for what was asked, and listens to nothing any more. */
  async abandon(): Promise<void> {
    while (this.#transactions.size > 0 || this.#unfinished > 0) {
      for (const id of this.#transactions.keys()) await this.#rollback(id)
      await nextTurn() // one that waited for these may have been opened
    }
    for (const id of this.#listeners.keys()) await this.#unlisten(id)
  }

  #run(call: Work): unknown {
    switch (call.op) {
      case 'ping':
        return null
      case 'query':
        return this.#runner(call.transaction).query(call.sql, [...call.params])
      case 'script':
        return script(this.#runner(call.transaction), call.sql)
      case 'begin':
        return this.#begin(call.id, call.sql)
      case 'commit':
        return this.#commit(call.transaction)
      case 'rollback':
        return this.#rollback(call.transaction)
      case 'listen':
        return this.#listen(call.id, call.channel)
      case 'unlisten':
        return this.#unlisten(call.listener)
      case 'dump':
        return this.#dump()
      default:
        return call satisfies never
    }
  }

  #runner(id: number | undefined): PGlite | Transaction {
    return id === undefined ? this.#database : this.#openTransaction(id).transaction
  }

  #openTransaction(id: number): OpenTransaction {
    const open = this.#transactions.get(id)
    if (!open) throw new Error('The transaction is over.')
    return open
  }

  /** Opens a transaction and answers when its first statements are done. It stays open until commit or rollback is called. */
  #begin(id: number, sql: string): Promise<Rows> {
    return new Promise((begun, failed) => {
      const closed = this.#database.transaction(
        (transaction) =>
          new Promise<void>((resolve, reject) => {
            const end = (error?: Error) => (error ? reject(error) : resolve())
            this.#transactions.set(id, { transaction, end, closed })
            script(transaction, sql).then(begun, reject)
          }),
      )
      closed.catch((error) => {
        this.#transactions.delete(id)
        failed(error)
      })
    })
  }

  async #commit(id: number): Promise<void> {
    const { end, closed } = this.#openTransaction(id)
    end()
    try {
      await closed
    } finally {
      this.#transactions.delete(id)
    }
  }

  async #rollback(id: number): Promise<void> {
    const open = this.#transactions.get(id)
    if (!open) return
    open.end(new Error('rollback'))
    await open.closed.catch(() => {})
    this.#transactions.delete(id)
  }

  async #listen(id: number, channel: string): Promise<void> {
    const stop = await this.#database.listen(channel, (payload) => this.#post({ listener: id, payload }))
    this.#listeners.set(id, stop)
  }

  async #unlisten(id: number): Promise<void> {
    await this.#listeners.get(id)?.()
    this.#listeners.delete(id)
  }

  async #dump(): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#database.dumpDataDir('gzip')).arrayBuffer())
  }
}

async function script(on: PGlite | Transaction, sql: string): Promise<Rows> {
  return ((await on.exec(sql)).at(-1) as Rows | undefined) ?? { rows: [] }
}

/** An error as plain data: the fields of a database error would be lost on the way between threads. */
function plainError(error: unknown): { name: string; message: string } & Record<string, unknown> {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const fields = Object.entries(error).filter(([name, value]) => ERROR_FIELDS.includes(name) && value !== undefined)
  return { ...Object.fromEntries(fields), name: error.name, message: error.message }
}
