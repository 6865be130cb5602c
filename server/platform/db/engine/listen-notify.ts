// The connection through which servers on one PostgreSQL learn of each other's commits and locks. Separate from the pool: it listens,
// notifies after commits (a notification inside a transaction would cost the server its group commit) and holds advisory locks. A lone
// process sends no notifications, because each wakes every listener including itself. Heartbeats are distinct from commits, so that they
// trigger no look-up of changes. Hints may be lost while it reconnects; the poll sees every commit.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#server/platform/lib/logger.ts'
import { AdaptiveTimer } from '#server/platform/lib/scheduling/adaptive-timer.ts'
import { NEWER } from '../live/write-log.ts'
import type { OuterLock } from '../named-locks.ts'
import { clientConfig, PostgresClient } from './postgres.client.ts'

const CHANNEL = 'parley_commits'
/** Who is active where: `server|group|group…`. */
const ACTIVITY_CHANNEL = 'parley_activity'
const NOTIFY_MS = 3
/** Interval of heartbeats. */
const PRESENCE_MS = 10_000
/** A process that has heard from no other for this long is alone and stops announcing its commits. */
const ALONE_MS = 35_000
/** Poll intervals for commits. Longer when idle: hints arrive at once, the poll only makes up for lost ones. */
const POLL_MS = { busy: 500, idle: 2000, idleAlone: 15_000 }
/** Suffix of the process name in a heartbeat, which announces no commit. Earlier versions take it for a commit. */
const IS_HERE = ' here'
const RECONNECT_MS = 1000
/** A process that holds a lock reconnects sooner: others take the loss of the lock for its death. */
const RECONNECT_HOLDER_MS = 50
/** Attempts to retake a lost lock: another process may be probing it at that moment. */
const RETAKE_ATTEMPTS = 20
/** Answer timeout: no statement of this connection takes long unless the connection is dead. */
const ANSWER_MS = 5000
/** Pauses between attempts at a lock that another process holds; the last but one is used for some seconds, the last from then on. */
const LOCK_PAUSES_MS = [5, 10, 20, 40, 80, 160]
const LOCK_PAUSE_MS = { soon: 200, later: 1300 }
const SOON_ATTEMPTS = 30

const NOTIFY = 'select pg_notify($1, $2)'
const TRY_LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken'

/** A lock of this process. `client`: the connection that took it last. */
type Held = { client: PostgresClient; onLost(): void }

export type ListenNotify = {
  /** Announces a commit to the other processes, if any; at most one notification every few milliseconds. */
  announce(): void
  /** Announces which groups are active in this process; nothing while there is no other process. */
  announceActivity(groups: string[]): void
  lock: OuterLock
  close(): Promise<void>
}

export type PeerListeners = {
  /** Another process may have committed. */
  onHint(): void
  /** Another process has announced which groups are active there. */
  onActivity(server: string, groups: string[]): void
}

/** Connects to the other processes on a database. */
export function connectListenNotify(url: string, log: Logger, listeners: PeerListeners): ListenNotify {
  return new PeerConnection(url, log, listeners)
}

class PeerConnection implements ListenNotify {
  readonly #self = randomUUID()
  readonly #url: string
  readonly #log: Logger
  readonly #listeners: PeerListeners
  readonly #poll: AdaptiveTimer
  readonly #presence: NodeJS.Timeout
  /** When another process was last heard, by the clock of `performance`. */
  #heardAt = Number.NEGATIVE_INFINITY
  #client: Promise<PostgresClient> | undefined
  /** The live connection. */
  #current: PostgresClient | undefined
  readonly #held = new Map<string, Held>()
  #isReturning = false
  #announcement: NodeJS.Timeout | undefined
  /** Whether the pending announcement is about a commit. */
  #hasCommitted = false
  #position: string | undefined
  /** Since the last look: what that finds may be this process's own. */
  #hasWritten = false
  #isPolling = false
  #isClosed = false
  readonly lock: OuterLock

  constructor(url: string, log: Logger, listeners: PeerListeners) {
    this.#url = url
    this.#log = log
    this.#listeners = listeners
    const idleMs = () => (this.#isAlone() ? POLL_MS.idleAlone : POLL_MS.idle)
    this.#poll = new AdaptiveTimer({ busyMs: POLL_MS.busy, idleMs }, () => void this.#look())
    this.#presence = setInterval(() => this.#notifySoon(), PRESENCE_MS).unref()
    this.lock = (name, onLost) => this.#lock(name, onLost)
    void this.#look()
  }

  announce(): void {
    this.#hasWritten = true
    if (this.#isAlone()) return
    this.#poll.active()
    this.#hasCommitted = true
    this.#notifySoon()
  }

  announceActivity(groups: string[]): void {
    if (this.#isAlone()) return
    void this.#send(NOTIFY, [ACTIVITY_CHANNEL, [this.#self, ...groups].join('|')]).catch(() => {}) // the next is soon
  }

  #hearActivity(announcement: string): void {
    const [server = '', ...groups] = announcement.split('|')
    if (server !== this.#self) this.#listeners.onActivity(server, groups)
  }

  #isAlone(): boolean {
    return performance.now() - this.#heardAt > ALONE_MS
  }

  #notifySoon(): void {
    this.#announcement ??= setTimeout(() => {
      const suffix = this.#hasCommitted ? '' : IS_HERE
      this.#announcement = undefined
      this.#hasCommitted = false
      void this.#send(NOTIFY, [CHANNEL, this.#self + suffix]).catch(() => {}) // the others poll
    }, NOTIFY_MS)
  }

  /** A process that has just started learns of the others from their answers; it has not announced any commit until then. */
  #hear(announcement = ''): void {
    if (announcement.replace(IS_HERE, '') === this.#self) return
    const wasAlone = this.#isAlone()
    if (wasAlone) this.#notifySoon()
    this.#heardAt = performance.now()
    if (announcement.endsWith(IS_HERE) && !wasAlone) return
    this.#poll.active()
    this.#listeners.onHint()
  }

  /** Checks whether anything was committed since the last look. */
  async #look(): Promise<void> {
    if (this.#isPolling || this.#isClosed) return
    this.#isPolling = true
    const isOwn = this.#hasWritten && this.#isAlone()
    this.#hasWritten = false
    try {
      const row = await this.#send(NEWER, [this.#position ?? '1:1:'])
      const isFirst = this.#position === undefined
      this.#position = String(row?.position)
      if (!isFirst && !row?.has_changes) return
      if (!isOwn) this.#poll.active()
      this.#listeners.onHint()
    } catch {
      this.#poll.active()
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
    if (this.#client) return this.#client
    const connecting = this.#connect().catch((error) => {
      if (this.#client === connecting) this.#client = undefined
      throw error
    })
    this.#client = connecting
    return connecting
  }

  async #connect(): Promise<PostgresClient> {
    const client = new PostgresClient({ ...clientConfig(this.#url, 'peers'), query_timeout: ANSWER_MS })
    let hasEnded = false
    client.on('end', () => {
      hasEnded = true
      if (this.#current === client) this.#lose()
    })
    client.on('error', (error) => this.#log.warn({ error }, 'connection to other servers lost'))
    client.on('notification', ({ channel, payload }) => {
      if (channel === ACTIVITY_CHANNEL) this.#hearActivity(payload ?? '')
      else this.#hear(payload)
    })
    try {
      await client.connect()
      void this.#retakeAll(client)
      await client.query(`listen ${CHANNEL}; listen ${ACTIVITY_CHANNEL}`)
      await client.query(NOTIFY, [CHANNEL, this.#self])
      if (hasEnded) throw new Error('Connection terminated')
      this.#current = client
      return client
    } catch (error) {
      client.destroy(new Error('Not used any more.'))
      throw error
    }
  }

  #lose(): void {
    if (this.#isClosed) return
    this.#current = undefined
    this.#client = undefined
    this.#listeners.onHint()
    void this.#return()
  }

  /** Reconnects at once to keep the locks. */
  async #return(): Promise<void> {
    if (this.#isReturning) return
    this.#isReturning = true
    while (this.#held.size > 0 && !this.#isClosed) {
      const client = await this.#connected().catch(() => undefined)
      if (client) break
      await sleep(RECONNECT_HOLDER_MS)
    }
    this.#isReturning = false
  }

  async #retakeAll(client: PostgresClient): Promise<void> {
    await Promise.all([...this.#held].map(([name, held]) => this.#retake(client, name, held)))
  }

  async #retake(client: PostgresClient, name: string, held: Held): Promise<void> {
    try {
      for (let attempt = 0; attempt < RETAKE_ATTEMPTS; attempt++) {
        if (this.#held.get(name) !== held) return
        if (await tryLock(client, name)) {
          held.client = client
          if (this.#held.get(name) !== held) await unlock(client, name) // given back meanwhile
          return
        }
        await sleep(pauseMs(attempt))
      }
    } catch {
      return // lost again: the next connection takes it
    }
    if (this.#held.get(name) === held) this.#held.delete(name)
    this.#log.warn({ name }, 'a lock was lost to another server')
    held.onLost()
  }

  /** Polls instead of waiting in the database, so that one connection serves every lock. */
  async #lock(name: string, onLost: () => void): Promise<() => Promise<void>> {
    for (let attempt = 0; ; attempt++) {
      const client = await this.#connected()
      if (await tryLock(client, name)) {
        const held = { client, onLost }
        this.#held.set(name, held)
        return () => this.#unlock(name, held)
      }
      await sleep(pauseMs(attempt))
    }
  }

  /** A lock ends with its connection: no unlock is needed when that is gone. */
  async #unlock(name: string, held: Held): Promise<void> {
    if (this.#held.get(name) !== held) return
    this.#held.delete(name)
    await unlock(held.client, name)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#poll.stop()
    clearInterval(this.#presence)
    clearTimeout(this.#announcement)
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }
}

async function tryLock(client: PostgresClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(TRY_LOCK, [name])
  return rows[0]?.taken ?? false
}

async function unlock(client: PostgresClient, name: string): Promise<void> {
  await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => {})
}

/** The pause before the next attempt at a lock. A long wait is for a process to die, which may be noticed a second late. */
export function pauseMs(attempt: number, random = Math.random()): number {
  const { soon, later } = LOCK_PAUSE_MS
  return (LOCK_PAUSES_MS[attempt] ?? (attempt < SOON_ATTEMPTS ? soon : later)) * (0.5 + random)
}
