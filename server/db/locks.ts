// Named locks: callers of one name work one after another, in the order of asking. Over processes on PostgreSQL, by an
// advisory lock of a session of its own, taken before any transaction begins.

/** Takes a name from other processes; answers with the function that gives it back. */
export type OuterLock = (name: string) => Promise<() => Promise<void>>
export type Locks = <T>(name: string, run: () => Promise<T>) => Promise<T>

/** @param outer undefined where there are no other processes */
export function createLocks(outer?: OuterLock): Locks {
  const tails = new Map<string, Promise<void>>()
  return async (name, run) => {
    const before = tails.get(name)
    const { promise: mine, resolve: done } = Promise.withResolvers<void>()
    tails.set(name, mine)
    await before
    try {
      const unlock = await outer?.(name)
      try {
        return await run()
      } finally {
        await unlock?.()
      }
    } finally {
      if (tails.get(name) === mine) tails.delete(name)
      done()
    }
  }
}
