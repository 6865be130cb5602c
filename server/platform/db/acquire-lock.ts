// A named lock that is kept for as long as its holder lives, for what one process of all does.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'

/** `lost` aborts when another process may have taken it. */
export type AcquiredLock = { lost: AbortSignal; release(): Promise<void> }

/** Pause after a failure, and before the lock is waited for again by who has lost it. */
const AGAIN_MS = 1000

/**
 * Acquires a named lock until released; waits while another process has it.
 * @throws the signal's reason when it aborts while waiting; the lock is then released as soon as it is acquired
 */
export async function acquireLock(database: Database, name: string, signal?: AbortSignal): Promise<AcquiredLock> {
  const taken = Promise.withResolvers<AbortSignal>()
  const done = Promise.withResolvers<void>()
  const ended = database.withLock(name, async (lost) => {
    taken.resolve(lost)
    await done.promise
  })
  ended.catch(taken.reject)
  signal?.addEventListener('abort', () => {
    done.resolve()
    taken.reject(signal.reason)
  })
  return {
    lost: await taken.promise,
    async release() {
      done.resolve()
      await ended
    },
  }
}

/**
 * Runs something in exactly one process until `signal` aborts: as soon as no other process has the name, and again after it has failed or
 * the name was lost. Never throws.
 * `run` ends when its signal aborts.
 */
export async function runInOneProcess(
  {
    database,
    name,
    signal,
    onError,
  }: {
    database: Database
    name: string
    signal: AbortSignal
    onError(error: unknown): void
  },
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const held = await acquireLock(database, name, signal)
      await run(AbortSignal.any([signal, held.lost])).finally(() => held.release())
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined)
  }
}
