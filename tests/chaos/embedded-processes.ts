// What the embedded PostgreSQL of one data folder has on the machine, seen from outside: processes, shared memory, sockets. Linux only.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  isRunningPostgres,
  listProcesses,
  readProcess,
  trySignal,
  workingFolder,
} from '#server/platform/db/embedded/processes.ts'

const LOOK_MS = 20
/** Far longer than the watcher takes to end PostgreSQL by force, on a busy machine with a slow disk too. */
const GONE_LIMIT_MS = 60_000
/** Far longer than a restart takes, on a busy machine too. */
const BACK_LIMIT_MS = 60_000

/** Shared memory and watchers are attributed to the folder while their processes run: call `note` before they end. */
export class EmbeddedProcesses {
  readonly #data: string
  readonly #watchers = new Set<string>()
  /** Ids of the small segments by which a postmaster notices another one on its folder. */
  readonly #systemSegments = new Set<string>()
  readonly #segments = new Set<string>()

  /** @param dataDir as of Parley */
  constructor(dataDir: string) {
    this.#data = fs.realpathSync(path.join(dataDir, 'postgres', 'data'))
  }

  /** Ids of all processes of PostgreSQL that work in the folder. */
  running(): number[] {
    return listProcesses().filter((pid) => isRunningPostgres(pid) && workingFolder(pid) === this.#data)
  }

  /** @throws when no postmaster is named in the folder */
  postmaster(): number {
    return Number.parseInt(this.#lockFile()[0] ?? '', 10)
  }

  /** @source PostgreSQL, "Database File Layout": the id of the process, ... key and id of the shared memory, state */
  #lockFile(): string[] {
    return fs.readFileSync(path.join(this.#data, 'postmaster.pid'), 'utf8').split('\n')
  }

  /** Remembers the watcher, and the shared memory that is in use now. */
  note(): void {
    const watched = `parley-watcher\0${this.postmaster()}\0`
    for (const pid of listProcesses())
      if (readProcess(pid, 'cmdline').endsWith(watched)) this.#watchers.add(beginningOf(pid))
    const segment = this.#lockFile()[6]?.trim().split(/\s+/)[1]
    if (segment !== undefined) this.#systemSegments.add(segment)
    for (const pid of this.running())
      for (const [segment] of readProcess(pid, 'maps').matchAll(/\/dev\/shm\/PostgreSQL\.\d+/g))
        this.#segments.add(segment)
  }

  /** kill -9 of the postmaster. @returns milliseconds until the database answers again */
  killPostmaster(): Promise<number> {
    return this.#killAndWait(async () => this.postmaster())
  }

  /** kill -9 of one that serves a connection, busy if there is one; all others are ended by the postmaster. @returns as above */
  killBackend(): Promise<number> {
    return this.#killAndWait(async () => {
      const [backend] = await this.query<{ pid: number }>(
        `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
        order by state = 'active' desc, random() limit 1`,
      )
      if (!backend) throw new Error('nothing is connected to the database')
      return backend.pid
    })
  }

  async #killAndWait(choose: () => Promise<number>): Promise<number> {
    const victim = await choose()
    this.note()
    const postmaster = this.postmaster()
    const ending = this.running().filter((pid) => pid === victim || pid !== postmaster)
    const struckAt = performance.now()
    process.kill(victim, 'SIGKILL')
    while (!this.#areGone(ending) || !(await this.#answers())) {
      if (performance.now() - struckAt > BACK_LIMIT_MS) throw new Error('PostgreSQL was not started again')
      await sleep(LOOK_MS)
    }
    return performance.now() - struckAt
  }

  #areGone(pids: number[]): boolean {
    const running = new Set(this.running())
    return pids.every((pid) => !running.has(pid))
  }

  async #answers(): Promise<boolean> {
    return this.query('select 1').then(
      () => true,
      () => false,
    )
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ host: this.#data, port: 5432, user: 'parley', database: 'postgres' })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  /** Runs one statement as the owner of the database. */
  async query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    const client = await this.#connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  /** Stops all processes (SIGSTOP) and waits until none runs. @returns what lets them go on */
  async freeze(): Promise<() => void> {
    const frozen = new Set<number>()
    const isStill = (pid: number) => /\(postgres\) T/.test(readProcess(pid, 'stat'))
    while (!this.running().every(isStill)) {
      for (const pid of this.running()) {
        frozen.add(pid)
        trySignal(pid, 'SIGSTOP')
      }
      await sleep(1)
    }
    return () => {
      for (const pid of frozen) trySignal(pid, 'SIGCONT')
    }
  }

  /** Waits up to so long for everything to be gone. @returns what is still there, one line each */
  async remains(limitMs = GONE_LIMIT_MS): Promise<string[]> {
    const until = performance.now() + limitMs
    while (this.#look().length > 0 && performance.now() < until) await sleep(LOOK_MS)
    return this.#look()
  }

  #look(): string[] {
    const segments = listSystemSegments()
    return [
      ...this.running().map((pid) => `process ${readProcess(pid, 'stat').slice(0, 40)}`),
      ...listProcesses()
        .filter((pid) => this.#watchers.has(beginningOf(pid)))
        .map((pid) => `watcher ${pid}`),
      ...segments.filter((id) => this.#systemSegments.has(id)).map((id) => `shared memory ${id}`),
      ...[...this.#segments].filter((file) => fs.existsSync(file)).map((file) => `shared memory ${file}`),
      ...fs.readdirSync(this.#data).filter((name) => name.startsWith('.s.PGSQL') || name === 'postmaster.pid'),
    ]
  }
}

/** Ids. */
function listSystemSegments(): string[] {
  const [, ...lines] = fs.readFileSync('/proc/sysvipc/shm', 'utf8').trim().split('\n')
  return lines.map((line) => line.trim().split(/\s+/)[1] ?? '')
}

/** Tells a process from a later one with its id. @source man proc(5): the 22nd field of stat */
function beginningOf(pid: number): string {
  const [, afterName = ''] = readProcess(pid, 'stat').split(/\) (?=[^)]*$)/)
  return `${pid} since ${afterName.split(' ')[19]}`
}
