// The embedded PostgreSQL as a process: started, watched, started again when it dies, stopped.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#server/platform/lib/logger.ts'
import { commandAs } from './account.ts'
import { environmentOf, programOf } from './binaries.ts'
import { type Cluster, folderAs, type Runtime } from './cluster.ts'
import { knownFailure, startFailure } from './failures.ts'
import { endLeftovers } from './leftovers.ts'
import { LogFile } from './log-file.ts'
import { SETTINGS } from './settings.ts'
import { type Watcher, watchOver } from './watcher.ts'

const LOOK_MS = 15
const SLOW_START_MS = 10_000
const ROTATE_MS = 10_000
/** Longest wait of a caller for a server that is started again. */
const READY_LIMIT_MS = 5000
/** From the first attempt to start it again to all later ones, twice as long each time. */
const BACKOFF_MS = { first: 100, longest: 5000 }
/** A stop: time for the last checkpoint, then for an end without one. Together below the three seconds of a stop of Parley. */
const FAST_STOP_MS = 2000
const IMMEDIATE_STOP_MS = 500

export type ServerOptions = {
  cluster: Cluster
  runtime: Runtime
  /** Where it listens, as options of PostgreSQL. */
  listen: string[]
  log: Logger
  /** The server died and works again. */
  onRestart(): void
}

/**
 *   starting ──ready──► running ──dies──► restarting ──ready──► running
 *      │ dies              │ stop            │ stop, or after a while: again
 *      ▼                   ▼                 ▼
 *    failed             stopped           stopped
 */
export class PostgresServer {
  readonly #options: ServerOptions
  readonly #logFile: LogFile
  readonly #rotating: NodeJS.Timeout
  #process: ChildProcess | undefined
  #watcher: Watcher | undefined
  #ended: Promise<string> = Promise.resolve('')
  readonly #stopped = new AbortController()
  #stopping: Promise<void> | undefined
  #restarting: Promise<void> | undefined
  readonly #endWithParley = () => this.#signal('SIGINT')

  /**
   * Ends what a former server has left on the folder, and starts.
   * @throws StartError in words when the server ends instead
   */
  static async start(options: ServerOptions): Promise<PostgresServer> {
    const server = new PostgresServer(options)
    try {
      await server.#start()
      server.#watch()
      return server
    } catch (error) {
      await server.stop()
      throw error
    }
  }

  /** In words where PostgreSQL has written why; every other error is returned unchanged. */
  explain(error: unknown): unknown {
    return knownFailure(this.#logFile.tail(), this.#options.cluster) ?? error
  }

  private constructor(options: ServerOptions) {
    this.#options = options
    this.#logFile = new LogFile(options.cluster.logFile)
    this.#rotating = setInterval(() => this.#logFile.rotate(), ROTATE_MS).unref()
    process.on('exit', this.#endWithParley)
  }

  async #start(): Promise<void> {
    const { cluster, log } = this.#options
    const left = await endLeftovers(cluster.data)
    if (left.length > 0) log.warn({ processes: left }, 'ended a PostgreSQL that a former process had left')
    this.#stopped.signal.throwIfAborted()
    this.#logFile.mark()
    this.#spawn()
    await this.#untilReady()
  }

  #spawn(): void {
    const { cluster, runtime, listen } = this.#options
    const { account, binaries } = runtime
    const settings = [...SETTINGS, ...listen].flatMap((setting) => ['-c', setting])
    const options = ['-D', folderAs(account, cluster.data), ...settings]
    const { file, args, ids } = commandAs(account, programOf(binaries, 'postgres'), options)
    const child = spawn(file, args, {
      ...ids,
      cwd: cluster.data,
      env: environmentOf(binaries),
      detached: process.platform !== 'win32', // the terminal's Ctrl-C is for Parley, which then ends it
      windowsHide: true,
      stdio: ['ignore', this.#logFile.fd, this.#logFile.fd],
    })
    this.#process = child
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
    const watcher = child.pid === undefined ? undefined : watchOver(child.pid, account)
    this.#watcher = watcher
    void this.#ended.then(() => watcher?.dismiss())
    child.unref()
  }

  /** Polls its lock file; a recovery may take long. */
  async #untilReady(): Promise<void> {
    const { cluster, log } = this.#options
    let end: string | undefined
    void this.#ended.then((reason) => {
      end = reason
    })
    const slow = setTimeout(
      () => log.info({}, 'PostgreSQL is still starting: it recovers from a stop in mid-work'),
      SLOW_START_MS,
    )
    try {
      while (!isReady(cluster.data, this.#process?.pid)) {
        if (end !== undefined) throw startFailure(`${this.#logFile.tail()}${end}`, cluster)
        await sleep(LOOK_MS)
      }
    } finally {
      clearTimeout(slow)
    }
  }

  #watch(): void {
    void this.#ended.then((reason) => {
      if (this.#isStopping) return
      this.#options.log.error({ reason }, 'PostgreSQL has ended and is started again')
      this.#restarting = this.#restart()
    })
  }

  async #restart(): Promise<void> {
    for (let pause = BACKOFF_MS.first; !this.#isStopping; pause = Math.min(pause * 2, BACKOFF_MS.longest)) {
      try {
        await this.#start()
        this.#restarting = undefined
        this.#watch()
        this.#options.onRestart()
        return
      } catch (error) {
        if (!this.#isStopping) this.#options.log.error({ error }, 'PostgreSQL does not start again')
        await sleep(pause, undefined, { signal: this.#stopped.signal }).catch(() => {})
      }
    }
  }

  /** Resolves at once while the server runs; while it is started again, when it runs or after a few seconds. */
  async ready(): Promise<void> {
    if (!this.#restarting) return
    const limit = new AbortController()
    await Promise.race([this.#restarting, sleep(READY_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => {})])
    limit.abort()
  }

  /** Safe to repeat. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  get #isStopping(): boolean {
    return this.#stopped.signal.aborted
  }

  async #stop(): Promise<void> {
    this.#stopped.abort()
    clearInterval(this.#rotating)
    this.#requestStop()
    if (!(await this.#hasEndedWithin(FAST_STOP_MS))) this.#signal('SIGQUIT')
    if (!(await this.#hasEndedWithin(IMMEDIATE_STOP_MS))) this.#signal('SIGKILL')
    await this.#restarting
    process.off('exit', this.#endWithParley)
    this.#logFile.close()
  }

  #requestStop(): void {
    if (process.platform !== 'win32') this.#signal('SIGINT')
    else if (this.#process?.exitCode === null) {
      const { runtime, cluster } = this.#options
      const args = ['stop', '-D', cluster.data, '-m', 'fast', '-t', '2']
      spawnSync(programOf(runtime.binaries, 'pg_ctl'), args, {
        env: environmentOf(runtime.binaries),
        windowsHide: true,
      })
    }
  }

  async #hasEndedWithin(limitMs: number): Promise<boolean> {
    const limit = new AbortController()
    const timer = sleep(limitMs, false, { signal: limit.signal }).catch(() => false)
    const ended = await Promise.race([this.#ended.then(() => true), timer])
    limit.abort()
    return ended
  }

  /** A root without the right to signal other users' processes leaves it to the watcher, which is of that user. */
  #signal(signal: NodeJS.Signals): void {
    const child = this.#process
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(child.pid, signal)
    } catch {
      this.#watcher?.fire()
    }
  }
}

/** @param pid of the server that was started */
function isReady(data: string, pid: number | undefined): boolean {
  try {
    const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}
