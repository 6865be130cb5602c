// A named lock that is kept for as long as its holder lives, for what one process of all does.
import type { Database } from './database.ts'

export type HeldLock = { release(): Promise<void> }

/**
 * Takes a named lock and keeps it until released; waits while another process has it.
 * @throws the signal's reason when it aborts while waiting; the lock is then given back as soon as it comes
 */
export async function holdLock(database: Database, name: string, signal?: AbortSignal): Promise<HeldLock> {
  const taken = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const ended = database.withLock(name, async () => {
    taken.resolve()
    await done.promise
  })
  ended.catch(taken.reject)
  signal?.addEventListener('abort', () => {
    done.resolve()
    taken.reject(signal.reason)
  })
  await taken.promise
  return {
    async release() {
      done.resolve()
      await ended
    },
  }
}
