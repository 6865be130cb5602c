// Which user PostgreSQL runs as. PostgreSQL refuses root, so when Parley runs as root it uses another user or, where root may not switch
// users, a user namespace in which root has another id.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { StartError } from '#server/platform/lib/start-error.ts'

/** `same`: the user of this process. `namespace`: the ids under which root appears to the programs that run in it. */
export type Account = { kind: 'same' } | ({ kind: 'user' | 'namespace' } & Ids)
export type Ids = { uid: number; gid: number }
/** How to run a program as an account: arguments of `spawn`. */
export type Command = { file: string; args: string[]; ids: Partial<Ids> }

/** Preferred system users, best first. */
const USERS = ['postgres', '_postgres', 'nobody', 'daemon']
/** The first id to try where the system has none of these users. Small enough for the id maps of containers. */
const FREE_ID = 54_320
/**
 * The environment of PostgreSQL's programs. Parley's own holds keys that another user must not read. Messages are in English because some
 * are matched.
 */
export const PROGRAM_ENVIRONMENT = { LC_ALL: 'C' }

/**
 * The accounts that may run PostgreSQL here, the preferred first.
 *
 * @param owner of the files of the database; undefined when there are none yet
 * @throws StartError when there is no such account
 */
export function possibleAccounts(owner: Ids | undefined): Account[] {
  if (process.getuid?.() !== 0) return [{ kind: 'same' }]
  const users = userIds(owner).map((ids): Account => ({ kind: 'user', ...ids }))
  const user = users.find(canBecome)
  const namespace: Account = { kind: 'namespace', ...namespaceIds() }
  const possible = [...(user ? [user] : []), ...(canBecome(namespace) ? [namespace] : [])]
  if (possible.length > 0) return possible
  throw new StartError(
    'PostgreSQL does not run as root, and this process may not change to another user: ' +
      'start Parley as another user, or set DATABASE_URL to a PostgreSQL server.',
  )
}

/** The command by which an account runs a program. */
export function commandAs(account: Account, file: string, args: string[]): Command {
  if (account.kind === 'same') return { file, args, ids: {} }
  const { uid, gid } = account
  if (account.kind === 'user') return { file, args, ids: { uid, gid } }
  const mapping = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  return { file: 'unshare', args: [...mapping, file, ...args], ids: {} }
}

/** Changes the owner of a file to the account, unless that is the user of this process. */
export function giveTo(account: Account, file: string): void {
  if (account.kind === 'user') fs.lchownSync(file, account.uid, account.gid)
}

/** Whether the modes of a folder and its ancestors let the account in. Access control lists are ignored. */
export function canEnter(account: Account, folder: string): boolean {
  if (account.kind !== 'user') return true
  const { mode, uid, gid } = fs.statSync(folder)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  const above = path.dirname(folder)
  return (mode & bit) !== 0 && (above === folder || canEnter(account, above))
}

function userIds(owner: Ids | undefined): Ids[] {
  const named = USERS.flatMap((name) => accounts().find((entry) => entry.name === name) ?? [])
  const kept = owner && owner.uid !== 0 ? [owner] : []
  return [...kept, ...named.map(({ uid, gid }) => ({ uid, gid })), freeIds()]
}

/** Prefers an id that has a name: initdb looks it up. */
function namespaceIds(): Ids {
  const { uid, gid } = accounts().find((entry) => entry.name === 'nobody') ?? freeIds()
  return { uid, gid }
}

function freeIds(): Ids {
  const taken = new Set(accounts().map(({ uid }) => uid))
  let id = FREE_ID
  while (taken.has(id)) id++
  return { uid: id, gid: id }
}

function accounts(): (Ids & { name: string })[] {
  if (!fs.existsSync('/etc/passwd')) return []
  return fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4 && Number(fields[2]) > 0)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

/** The shell is looked up after the switch of users, so an error about a missing shell proves that the switch is allowed. */
function canBecome(account: Account): boolean {
  const { file, args, ids } = commandAs(account, '/bin/sh', ['-c', 'exit 0'])
  const { status, error } = spawnSync(file, args, { ...ids, cwd: '/', env: PROGRAM_ENVIRONMENT, stdio: 'ignore' })
  if (account.kind === 'namespace') return status === 0
  return status === 0 || (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
}
