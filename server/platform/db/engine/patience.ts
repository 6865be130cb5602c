// How long a database that is out of reach is waited for before what needs it fails: a restart takes about a second.
import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from './engine.ts'

/** From the first failure on, milliseconds. */
export const PATIENCE_MS = 2500
const PAUSE_MS = 100

/**
 * Repeats what fails because the database is away. `run` must be safe to repeat after such a failure.
 * @throws its last error once `patienceMs` are over, and any other at once
 */
export async function waitForDatabase<T>(run: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > until) throw error
      await sleep(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}
