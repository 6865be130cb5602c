// Starts a real PostgreSQL for a test run, of the same programs and as the same user as the embedded one, but by `pg_ctl`: it is no child of
// ours, so that its work is not counted as that of the tests. A server left by a killed run is stopped by the next.
import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { commandAs, giveTo, possibleAccounts } from '#server/platform/db/embedded/account.ts'
import { environmentOf, prepareBinaries, programOf } from '#server/platform/db/embedded/binaries.ts'
import type { Runtime } from '#server/platform/db/embedded/cluster.ts'
import { freePort } from '#server/platform/db/embedded/embedded.ts'

const FOLDER_PREFIX = 'parley-postgres-'
const START_ATTEMPTS = 3
const DEBIAN_BINARIES = '/usr/lib/postgresql'
/** Speed before safety: what a test writes is thrown away. */
const FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
const SETTINGS = [
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=2GB',
  'update_process_title=off',
  'jit=off',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
]

export type PostgresServer = {
  url: string
  /** The same server past the network, which costs both sides less; only from this machine, and nothing stands between. */
  socketUrl: string
  stop(): Promise<void>
}
/** A server that can go away for a while and come back as it was. */
export type RestartablePostgres = PostgresServer & {
  /** Ends it at once, as a fault of its machine does. */
  halt(): Promise<void>
  resume(): Promise<void>
  /** Ends every connection and starts again: `fast` as an administrator does, `immediate` as after a crash. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
}
/** `folder`: holds the data, the socket and the log. */
type Server = { runtime: Runtime; folder: string }

const run = promisify(execFile)

/**
 * The server of TEST_DATABASE_URL, or a new one on a free port.
 *
 * @param options.isDurable - what is committed is on the disk, as with a server that people rely on; otherwise a commit waits for nothing
 * @param options.settings - more of its own, as `name=value`
 */
export async function startPostgres({ isDurable = false, settings = [] as string[] } = {}): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, socketUrl: given, stop: async () => {} }
  return startOwnPostgres({ isDurable, settings })
}

/** A new one on a free port in any case, for tests that take it away meanwhile. Options as above. */
export async function startOwnPostgres({
  isDurable = false,
  settings = [] as string[],
} = {}): Promise<RestartablePostgres> {
  const runtime = prepareRuntime()
  await stopLeftovers(runtime)
  const server = { runtime, folder: fs.mkdtempSync(path.join(os.tmpdir(), FOLDER_PREFIX)) }
  giveTo(runtime.account, server.folder)
  const initdb = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  await runProgram(server, 'initdb', initdb)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const ownSettings = [...(isDurable ? [] : FORGETFUL), ...settings, `port=${port}`]
    try {
      await startServer(server, ownSettings)
      fs.writeFileSync(path.join(server.folder, 'owner'), String(process.pid))
      return {
        url: `postgres://postgres@127.0.0.1:${port}/postgres`,
        socketUrl: `postgres://postgres@localhost:${port}/postgres?host=${encodeURIComponent(server.folder)}`,
        async restart(mode) {
          await runProgram(server, 'pg_ctl', ['-m', mode, '-w', 'stop'])
          await startServer(server, ownSettings)
        },
        stop: () => stopServer(server),
        halt: () => haltServer(server),
        resume: () => startServer(server, ownSettings),
      }
    } catch (error) {
      if (attempt === START_ATTEMPTS)
        throw new Error(`PostgreSQL did not start:\n${readLog(server.folder)}`, { cause: error })
    }
  }
}

/** The binaries in the folder that POSTGRES_BINARIES names, or those that users get. */
function prepareRuntime(): Runtime {
  const accounts = possibleAccounts(undefined)
  const given = process.env.POSTGRES_BINARIES
  const [account] = accounts
  if (!given || !account) return prepareBinaries(accounts, os.tmpdir())
  return { account, binaries: { root: path.dirname(given) } }
}

function command({ runtime: { account, binaries }, folder }: Server, name: 'initdb' | 'pg_ctl', options: string[]) {
  const data = path.join(folder, 'data')
  const { file, args, ids } = commandAs(account, programOf(binaries, name), ['-D', data, ...options])
  return { file, args, options: { cwd: folder, env: environmentOf(binaries), ...ids } }
}

async function runProgram(server: Server, name: 'initdb' | 'pg_ctl', given: string[]): Promise<void> {
  const { file, args, options } = command(server, name, given)
  await run(file, args, options)
}

/** `pg_ctl` must not hold our pipes: the server would inherit them and the call would never end. */
function startServer(server: Server, settings: string[]): Promise<void> {
  const all = [...SETTINGS, ...settings, `unix_socket_directories=${server.folder}`]
  const setting = all.map((each) => `-c ${each}`).join(' ')
  const given = ['-l', path.join(server.folder, 'log'), '-o', setting, '-w', 'start']
  const { file, args, options } = command(server, 'pg_ctl', given)
  const starting = spawn(file, args, { ...options, stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    starting.on('error', reject)
    starting.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`pg_ctl ended with ${code}`))))
  })
}

async function stopServer(server: Server): Promise<void> {
  await haltServer(server).catch(() => {}) // may have stopped by itself
  fs.rmSync(server.folder, { recursive: true, force: true })
}

function haltServer(server: Server): Promise<void> {
  return runProgram(server, 'pg_ctl', ['-m', 'immediate', '-w', 'stop'])
}

/** Servers whose test run is no more. */
async function stopLeftovers(runtime: Runtime): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const folder = path.join(os.tmpdir(), name)
    const owner = path.join(folder, 'owner')
    if (!name.startsWith(FOLDER_PREFIX) || !fs.existsSync(owner)) continue
    if (!isRunning(Number(fs.readFileSync(owner, 'utf8')))) await stopServer({ runtime, folder })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function readLog(folder: string): string {
  const file = path.join(folder, 'log')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : 'no log was written'
}

/** The folder of a version that Debian has installed; undefined where it has not. */
export function debianPostgres(version: number): string | undefined {
  const folder = path.join(DEBIAN_BINARIES, String(version), 'bin')
  return fs.existsSync(path.join(folder, 'initdb')) ? folder : undefined
}
