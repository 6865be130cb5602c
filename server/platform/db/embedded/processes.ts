// Processes of the machine as Linux shows them under /proc; elsewhere there are none to see. A process may end between two looks.
import fs from 'node:fs'

/** Ids of all processes that can be seen. */
export function listProcesses(): number[] {
  if (!fs.existsSync('/proc/self/stat')) return []
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** The text of `/proc/<pid>/<file>`; empty when the process has ended. @source man proc(5) */
export function readProcess(pid: number, file: 'stat' | 'maps' | 'cmdline'): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** Whether it is a process of PostgreSQL that runs. One that has ended, and that its parent has not asked for, still has its name. */
export function isRunningPostgres(pid: number): boolean {
  return /^\d+ \(postgres\) [^ZX]/.test(readProcess(pid, 'stat'))
}

/** Absolute path; undefined when the process has ended, or may not be seen: in a container root may not see that of another user. */
export function workingFolder(pid: number): string | undefined {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Without effect on a process that has ended, or that is not ours to end. */
export function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // callers that rely on its end look for the process again
  }
}
