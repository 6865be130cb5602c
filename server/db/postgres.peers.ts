// The connection by which servers on one PostgreSQL know of each other's commits and locks. Separate from the pool: it listens,
// notifies after commits (inside them a notification would cost the server its group commit) and holds advisory locks.
// A process that is alone notifies nobody: each notification wakes every listener, itself among them.
// Hints may be lost while it reconnects; the poll sees every commit.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#server/lib/logger.ts'
import type { OuterLock } from './locks.ts'
import { clientConfig, PostgresClient } from './postgres.client.ts'
import { NEWER } from './write-log.ts'

const CHANNEL = 'parley_commits'
const NOTIFY_MS = 3
/** Every process says so often that it is there. */
const PRESENCE_MS = 10_000
/** A process that has heard no other for so long is alone, and tells nobody of its commits. */
const ALONE_MS = 35_000
const POLL_MS = 500
const RECONNECT_MS = 1000
/** Pauses between attempts at a lock that another process holds. */
const LOCK_PAUSES_MS = [5, 10, 20, 40, 80, 160]

const NOTIFY = 'select pg_notify($1, $2)'

export type Peers = {
  /** We committed: tells the others, if there are any, at most once each few milliseconds. */
  announce(): void
  lock: OuterLock
  close(): Promise<void>
}

/** @param onHint called when another process may have committed */
export function connectPeers(url: string, log: Logger, onHint: () => void): Peers {
  return new PeerConnection(url, log, onHint)
}

class PeerConnection implements Peers {
  readonly #self = randomUUID()
  readonly #url: string
  readonly #log: Logger
  readonly #onHint: () => void
  readonly #poll: NodeJS.Timeout
  readonly #presence: NodeJS.Timeout
  /** When another process was heard last, by the clock of `performance`. */
  #heardAt = Number.NEGATIVE_INFINITY
  #client: Promise<PostgresClient> | undefined
  #announcement: NodeJS.Timeout | undefined
  #position: string | undefined
  #isPolling = false
  #isClosed = false
  readonly lock: OuterLock

  constructor(url: string, log: Logger, onHint: () => void) {
    this.#url = url
    this.#log = log
    this.#onHint = onHint
    this.#poll = setInterval(() => void this.#look(), POLL_MS).unref()
    this.#presence = setInterval(() => this.#notifySoon(), PRESENCE_MS).unref()
    this.lock = (name) => this.#lock(name)
    void this.#look()
  }

  announce(): void {
    if (!this.#isAlone()) this.#notifySoon()
  }

  #isAlone(): boolean {
    return performance.now() - this.#heardAt > ALONE_MS
  }

  #notifySoon(): void {
    this.#announcement ??= setTimeout(() => {
      this.#announcement = undefined
      void this.#send(NOTIFY, [CHANNEL, this.#self]).catch(() => {}) // the others poll
    }, NOTIFY_MS)
  }

  /** Whoever has just come hears of those who are there by their answer. */
  #hear(self: string | undefined): void {
    if (self === this.#self) return
    if (this.#isAlone()) this.#notifySoon()
    this.#heardAt = performance.now()
    this.#onHint()
  }

  /** Asks whether anything was committed since the last look. */
  async #look(): Promise<void> {
    if (this.#isPolling || this.#isClosed) return
    this.#isPolling = true
    try {
      const row = await this.#send(NEWER, [this.#position ?? '1:1:'])
      const isFirst = this.#position === undefined
      this.#position = String(row?.position)
      if (isFirst || row?.has_changes) this.#onHint()
    } catch {
      this.#position = undefined // a new connection may lead to another server: everything may have changed
      await sleep(RECONNECT_MS)
    } finally {
      this.#isPolling = false
    }
  }

  async #send(text: string, values: unknown[]): Promise<Record<string, unknown> | undefined> {
    const client = await this.#connected()
    return (await client.query<Record<string, unknown>>(text, values)).rows[0]
  }

  #connected(): Promise<PostgresClient> {
    if (this.#isClosed) return Promise.reject(new Error('The database is closed.'))
    this.#client ??= this.#connect().catch((error) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  async #connect(): Promise<PostgresClient> {
    const client = new PostgresClient(clientConfig(this.#url, 'peers'))
    const lost = (error?: Error) => {
      if (this.#isClosed || !this.#client) return
      this.#client = undefined
      this.#log.warn({ error }, 'connection to other servers lost')
      this.#onHint()
    }
    client.on('error', lost)
    client.on('end', () => lost())
    client.on('notification', ({ payload }) => this.#hear(payload))
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    await client.query(NOTIFY, [CHANNEL, this.#self])
    return client
  }

  /** Asks again and again instead of waiting in the database: one connection serves every lock. */
  async #lock(name: string): Promise<() => Promise<void>> {
    for (let attempt = 0; ; attempt++) {
      const client = await this.#connected()
      const { rows } = await client.query<{ taken: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
        [name],
      )
      if (rows[0]?.taken) return () => this.#unlock(client, name)
      await sleep((LOCK_PAUSES_MS[attempt] ?? 200) * (0.5 + Math.random()))
    }
  }

  /** A lock ends with its connection: nothing to give back when that is gone. */
  async #unlock(client: PostgresClient, name: string): Promise<void> {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => {})
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#poll)
    clearInterval(this.#presence)
    clearTimeout(this.#announcement)
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }
}
