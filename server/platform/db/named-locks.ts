// Named locks: callers of one name work one after another, in the order of asking. Over processes on PostgreSQL, by an
// advisory lock of a session of its own, taken before any transaction begins.

/** Takes a name from other processes; answers with the function that gives it back. `onLost`: another process may have it now. */
export type OuterLock = (name: string, onLost: () => void) => Promise<() => Promise<void>>
/** `lost` aborts when another process may have the name, because the connection that held it was lost for a while. */
export type NamedLocks = <T>(name: string, run: (lost: AbortSignal) => Promise<T>) => Promise<T>

export function createNamedLocks(outer: OuterLock): NamedLocks {
  const tails = new Map<string, Promise<void>>()
  return async (name, run) => {
    const before = tails.get(name)
    const { promise: mine, resolve: done } = Promise.withResolvers<void>()
    tails.set(name, mine)
    await before
    try {
      const lost = new AbortController()
      const unlock = await outer(name, () => lost.abort())
      try {
        return await run(lost.signal)
      } finally {
        await unlock()
      }
    } finally {
      if (tails.get(name) === mine) tails.delete(name)
      done()
    }
  }
}
