// The programs of PostgreSQL: found in the package of this platform, with the links to their libraries, in a place where the account that
// runs them can.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { StartError } from '#server/platform/lib/start-error.ts'
import { type Account, canEnter, commandAs, PROGRAM_ENVIRONMENT } from './account.ts'
import { copyBinaries, copyPlaces } from './binaries.copy.ts'
import { type Binaries, installedPackage, linkLibraries } from './package.ts'

const PROGRAM = process.platform === 'win32' ? '.exe' : ''
const NOT_LINKED = 'links to libraries are missing'
const COPY_HELPS = new RegExp(`EACCES|Permission denied|${NOT_LINKED}`)

/** The file of a program. */
export function programOf(binaries: Binaries, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return path.join(binaries.root, 'bin', name + PROGRAM)
}

/** Where there is no /proc, programs do not find their libraries by their own place. */
export function environmentOf({ root }: Binaries): NodeJS.ProcessEnv {
  const needsPath = process.platform === 'linux' && !fs.existsSync('/proc/self/exe')
  return { ...PROGRAM_ENVIRONMENT, ...(needsPath && { LD_LIBRARY_PATH: path.join(root, 'lib') }) }
}

/**
 * Binaries that the first of these accounts that can is able to run. Where none can where they are installed (below root's home, or links
 * are missing and may not be made there), they are copied.
 *
 * @param home folder of ours that copies may be kept in
 * @param packageRoot folder of the platform's package; by default the installed one
 * @throws StartError when they are not installed or do not run on this system
 */
export function prepareBinaries(
  accounts: Account[],
  home: string,
  packageRoot = installedPackage(),
): { account: Account; binaries: Binaries } {
  const isLinked = linkLibraries(packageRoot)
  const installed = { root: path.join(packageRoot, 'native') }
  const failures: string[] = []
  for (const account of accounts) {
    const failure = isLinked ? tryToRun(account, installed) : NOT_LINKED
    if (failure === undefined) return { account, binaries: installed }
    failures.push(failure)
    if (!COPY_HELPS.test(failure)) continue
    const copy = runnableCopy(account, home, packageRoot)
    if (copy) return { account, binaries: copy }
  }
  throw new StartError(
    `The PostgreSQL that comes with Parley does not run on this system (${failures[0]}): set DATABASE_URL to a PostgreSQL server.`,
  )
}

function runnableCopy(account: Account, home: string, packageRoot: string): Binaries | undefined {
  for (const place of copyPlaces(home).filter((each) => canEnter(account, each))) {
    const copy = copyBinaries(packageRoot, place)
    if (copy && tryToRun(account, copy) === undefined) return copy
    if (copy) fs.rmSync(copy.root, { recursive: true, force: true }) // nothing may be run from this disk
  }
  return undefined
}

/** Why the account cannot run them; undefined when it can. */
function tryToRun(account: Account, binaries: Binaries): string | undefined {
  const { file, args, ids } = commandAs(account, programOf(binaries, 'postgres'), ['--version'])
  const tried = spawnSync(file, args, { ...ids, cwd: '/', env: environmentOf(binaries), encoding: 'utf8' })
  if (tried.status === 0) return undefined
  const code = (tried.error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ENOENT') return 'it needs the GNU C library' // the file is there, its loader is not
  return code ?? (tried.stderr.trim() || `exit code ${tried.status}`)
}
