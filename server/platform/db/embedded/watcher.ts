// Ends PostgreSQL soon after Parley was killed: a shell that waits for the end of a pipe that only Parley holds open. Where there is no
// shell, the next start ends what is left.
import { type ChildProcess, spawn } from 'node:child_process'
import { type Account, commandAs, PROGRAM_ENVIRONMENT } from './account.ts'

/** A line means that PostgreSQL has exited on its own; end of file, that Parley has. */
const SCRIPT = `read -r line && exit 0
kill -INT "$1"
for second in 1 2 3 4 5; do sleep 1; kill -0 "$1" 2>/dev/null || exit 0; done
kill -QUIT "$1"`

export type Watcher = {
  /** PostgreSQL has ended: nothing is left to be watched. */
  dismiss(): void
  /** Has the watcher end PostgreSQL, as it would without Parley. */
  fire(): void
}

/** Runs as the account of PostgreSQL, so that it can kill no process of another user. */
export function watchOver(pid: number, account: Account): Watcher {
  const { file, args, ids } = commandAs(account, '/bin/sh', ['-c', SCRIPT, 'parley-watcher', String(pid)])
  const watcher: ChildProcess | undefined =
    process.platform === 'win32'
      ? undefined
      : spawn(file, args, {
          ...ids,
          cwd: '/',
          env: PROGRAM_ENVIRONMENT,
          detached: true, // it outlives what ends Parley's process group
          stdio: ['pipe', 'ignore', 'ignore'],
        })
  watcher?.on('error', () => {})
  watcher?.stdin?.on('error', () => {})
  watcher?.unref()
  if (watcher?.stdin && 'unref' in watcher.stdin) (watcher.stdin as { unref(): void }).unref()
  return {
    dismiss: () => void watcher?.stdin?.end('\n'),
    fire: () => void watcher?.stdin?.end(),
  }
}
