// The files of the embedded database: made once by initdb, checked and owned by the account that runs PostgreSQL.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { StartError } from '#server/platform/lib/start-error.ts'
import { type Account, canEnter, commandAs, giveTo, type Ids } from './account.ts'
import { environmentOf, programOf } from './binaries.ts'
import { startFailure } from './failures.ts'
import { NO_NAME, withNamelessBinaries } from './nameless.ts'
import type { Binaries } from './package.ts'

/** `folder`: ours; `data`: PostgreSQL's own, in it. */
export type Cluster = { folder: string; data: string; logFile: string; passwordFile: string }
/** What runs PostgreSQL. */
export type Runtime = { account: Account; binaries: Binaries }
type Outcome = { status: number | null; output: string }

/** The owner of the database, a role of PostgreSQL. */
export const OWNER = 'parley'
/** Of the binaries that come with Parley. */
const MAJOR_VERSION = '18'
const WORKING_FOLDER = '/proc/self/cwd'
const INITDB_OPTIONS = [
  ...['--username', OWNER, '--auth-local', 'trust', '--auth-host', 'scram-sha-256'],
  // Letters of every language have cases, and the order of texts never changes with the system.
  ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
]

export function clusterIn(dataDir: string): Cluster {
  const folder = path.resolve(dataDir, 'postgres')
  return {
    folder,
    data: path.join(folder, 'data'),
    logFile: path.join(folder, 'postgres.log'),
    passwordFile: path.join(folder, 'password'),
  }
}

/**
 * Refuses data that this version does not open.
 * @throws StartError
 */
export function assertOpenable(dataDir: string, { data }: Cluster): void {
  assertOwned(data)
  const version = readVersion(data)
  const former = path.resolve(dataDir, 'db')
  if (version === undefined && readVersion(path.join(former, 'pgdata')) !== undefined) {
    throw new StartError(
      `${former} holds a database of the former WebAssembly engine, which this version cannot open: ` +
        'move that folder away to start with an empty database, or set DATA_DIR to another folder.',
    )
  }
  if (version !== undefined && version !== MAJOR_VERSION) {
    throw new StartError(
      `The database in ${data} is of PostgreSQL ${version}, and this version of Parley brings PostgreSQL ${MAJOR_VERSION}: ` +
        'start the version of Parley that made it, or move the folder away to start with an empty database.',
    )
  }
}

/** Root may give the files to the account that runs PostgreSQL. */
function assertOwned(data: string): void {
  const stats = fs.statSync(data, { throwIfNoEntry: false })
  const user = process.getuid?.()
  if (!stats || !user || stats.uid === user) return
  throw new StartError(
    `The database in ${data} belongs to the user with id ${stats.uid}: start Parley as that user, or give the folder and all in it to the user who starts it.`,
  )
}

function readVersion(data: string): string | undefined {
  const file = path.join(data, 'PG_VERSION')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined
}

/** Who owns the files; undefined when there are none. */
export function ownerOf({ data }: Cluster): Ids | undefined {
  const stats = fs.statSync(data, { throwIfNoEntry: false })
  return stats && { uid: stats.uid, gid: stats.gid }
}

/**
 * Creates the cluster where there is none. An unfinished one is deleted, so a kill during creation leaves no broken cluster.
 * @throws StartError when initdb fails
 */
export async function makeCluster(cluster: Cluster, { account, binaries }: Runtime): Promise<void> {
  if (fs.existsSync(cluster.data)) return
  const unfinished = `${cluster.data}.new`
  const attempt = (programs: Binaries) => {
    prepareEmptyFolder(unfinished, account)
    writePassword(cluster, account)
    return initdb(cluster, unfinished, { account, binaries: programs })
  }
  let outcome = await attempt(binaries)
  if (NO_NAME.test(outcome.output)) {
    const patched = await withNamelessBinaries(binaries, cluster.folder, async (each) => {
      const tried = await attempt(each)
      return tried.status === 0 ? tried : undefined
    })
    if (!patched) throw new StartError(namelessAdvice(account))
    outcome = patched
  }
  if (outcome.status !== 0) throw startFailure(outcome.output, cluster)
  fs.renameSync(unfinished, cluster.data)
}

function namelessAdvice(account: Account): string {
  const id = account.kind === 'same' ? process.getuid?.() : account.uid
  return `PostgreSQL cannot make a database under the user id ${id}, which has no name on this system: add the id to /etc/passwd, start Parley as another user, or set DATABASE_URL.`
}

function prepareEmptyFolder(folder: string, account: Account): void {
  if (account.kind === 'user') fs.chmodSync(path.dirname(folder), 0o711) // whatever the mask of this process is
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { mode: 0o700 })
  giveTo(account, folder)
}

/** Of the owner role, for connections that go through the network of this machine. Once it is there it stays. */
function writePassword({ passwordFile }: Cluster, account: Account): void {
  if (!fs.existsSync(passwordFile)) {
    fs.writeFileSync(passwordFile, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  }
  giveTo(account, passwordFile)
}

async function initdb({ passwordFile }: Cluster, folder: string, { account, binaries }: Runtime): Promise<Outcome> {
  const password = path.relative(folder, passwordFile) // from its working folder: see folderAs
  const options = ['-D', folderAs(account, folder), ...INITDB_OPTIONS, '--pwfile', password]
  const { file, args, ids } = commandAs(account, programOf(binaries, 'initdb'), options)
  const child = spawn(file, args, {
    ...ids,
    cwd: folder,
    env: environmentOf(binaries),
    detached: process.platform !== 'win32', // the terminal's Ctrl-C is not meant for it
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const status = new Promise<number | null | Error>((resolve) => {
    child.once('error', resolve)
    child.once('close', resolve)
  })
  const [out, errors, end] = await Promise.all([text(child.stdout), text(child.stderr), status])
  return end instanceof Error ? { status: null, output: end.message } : { status: end, output: out + errors }
}

/**
 * The name by which a program of the account finds the folder it is started in. Below root's home no path leads there for another user,
 * but the kernel's link to the working folder does.
 * @throws StartError where there is no such link
 */
export function folderAs(account: Account, folder: string): string {
  if (canEnter(account, folder)) return folder
  if (fs.existsSync(WORKING_FOLDER)) return WORKING_FOLDER
  throw new StartError(
    `The user that runs PostgreSQL may not enter ${folder}, and this system has no /proc: mount it, or set DATA_DIR to a folder that every user may enter.`,
  )
}

/** Brings owner and mode to what PostgreSQL asks for, where a copy or a restored backup has lost them. */
export function repairRights({ data }: Cluster, account: Account): void {
  const { uid, mode } = fs.statSync(data)
  if (account.kind === 'user' && uid !== account.uid) {
    for (const name of fs.readdirSync(data, { recursive: true })) giveTo(account, path.join(data, String(name)))
    giveTo(account, data)
  }
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) fs.chmodSync(data, 0o700)
}
