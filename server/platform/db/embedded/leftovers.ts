// Processes of PostgreSQL that a killed Parley, or a killed postmaster, has left on a folder. The folder is ours when this runs, so they
// serve no other Parley.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunningPostgres, listProcesses, trySignal, workingFolder } from './processes.ts'

/** Without a signal it is only waited. */
type Step = { signal?: NodeJS.Signals; patienceMs: number }
/** From gentle to final, with the milliseconds until the next. The first lets it finish, which it may be doing already. */
const POSTMASTER_STEPS: Step[] = [
  { signal: 'SIGINT', patienceMs: 1500 },
  { signal: 'SIGQUIT', patienceMs: 700 },
  { signal: 'SIGKILL', patienceMs: 500 },
]
/** Without their postmaster they end by themselves, unless they compute. */
const OTHERS_STEPS: Step[] = [
  { patienceMs: 300 },
  { signal: 'SIGQUIT', patienceMs: 700 },
  { signal: 'SIGKILL', patienceMs: 1500 },
]
const LOOK_MS = 20
const SOCKET_FILES = ['.s.PGSQL.5432.lock', '.s.PGSQL.5432']
/** Larger than any process id: such a process never runs. */
const NO_PROCESS = '99999999'

/** `others`: the processes of a postmaster, which end with it, but for one that computes. */
type Leftovers = { postmaster: number | undefined; others: number[] }

/**
 * Ends what is left, and sees to it that a process that has only its id in common with the former server is not taken for it.
 * @returns the ids of the processes that were found
 */
export async function endLeftovers(data: string): Promise<number[]> {
  const found = allOf(findLeftovers(data))
  await end(POSTMASTER_STEPS, () => [findLeftovers(data).postmaster ?? []].flat())
  await end(OTHERS_STEPS, () => findLeftovers(data).others)
  if (process.platform !== 'win32' && allOf(findLeftovers(data)).length === 0) disarmLocks(data)
  return found
}

/**
 * PostgreSQL refuses a folder while any process has the id in its lock file. What else is in that file stays: by it PostgreSQL notices
 * processes that we do not see.
 */
function disarmLocks(data: string): void {
  const file = path.join(data, 'postmaster.pid')
  if (fs.existsSync(file)) fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^\d+/, NO_PROCESS))
  for (const name of SOCKET_FILES) fs.rmSync(path.join(data, name), { force: true })
}

async function end(steps: Step[], find: () => number[]): Promise<void> {
  for (const { signal, patienceMs } of steps) {
    const until = performance.now() + patienceMs
    if (signal) for (const pid of find()) trySignal(pid, signal)
    while (performance.now() < until && find().length > 0) await sleep(LOOK_MS)
  }
}

/** The postmaster that the folder names, and the processes that work in the folder. */
function findLeftovers(data: string): Leftovers {
  if (process.platform === 'win32') return { postmaster: undefined, others: [] } // there PostgreSQL ends with its parent
  const named = postmasterPid(data)
  const postmaster = named !== undefined && isPostgres(named, data) ? named : undefined
  return { postmaster, others: processesIn(data).filter((pid) => pid !== postmaster) }
}

function allOf({ postmaster, others }: Leftovers): number[] {
  return postmaster === undefined ? others : [postmaster, ...others]
}

/** The process id in the lock file of a folder; undefined when there is none. */
function postmasterPid(data: string): number | undefined {
  const file = path.join(data, 'postmaster.pid')
  const pid = fs.existsSync(file) ? Number.parseInt(fs.readFileSync(file, 'utf8'), 10) : Number.NaN
  return pid > 1 ? pid : undefined
}

/** Every process has its folder there, if we may see it. */
function isPostgres(pid: number, data: string): boolean {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' })
    return path.basename((stdout ?? '').trim()) === 'postgres'
  }
  if (!isRunningPostgres(pid)) return false
  const folder = workingFolder(pid)
  return folder === undefined || folder === fs.realpathSync(data)
}

function processesIn(data: string): number[] {
  if (!fs.existsSync('/proc/self/stat')) return []
  const folder = fs.realpathSync(data)
  return listProcesses().filter((pid) => isRunningPostgres(pid) && workingFolder(pid) === folder)
}
