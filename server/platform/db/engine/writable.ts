// Whether the database takes writes right now, for probes and screens: tested on request, once for all concurrent callers.

/** How long a result is cached. Shorter while the database is away, so that its return is noticed soon. */
const KEPT_MS = { writable: 1000, away: 250 }
/** A database that takes longer to store a row is away. */
const LIMIT_MS = 900

/** @param probe stores something within `limitMs`, and throws when that is not possible */
export function createWritable(probe: (limitMs: number) => Promise<void>): () => Promise<boolean> {
  let known = { isWritable: false, until: 0 }
  let asking: Promise<boolean> | undefined
  const ask = async () => {
    const isWritable = await within(probe(LIMIT_MS), LIMIT_MS)
    known = { isWritable, until: performance.now() + (isWritable ? KEPT_MS.writable : KEPT_MS.away) }
    asking = undefined
    return isWritable
  }
  return async () => {
    if (performance.now() < known.until) return known.isWritable
    asking ??= ask()
    return asking
  }
}

/** Whether it was fulfilled in time. */
async function within(promise: Promise<void>, limitMs: number): Promise<boolean> {
  const limit = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => limit.resolve(false), limitMs)
  const done = promise.then(
    () => true,
    () => false,
  )
  return Promise.race([done, limit.promise]).finally(() => clearTimeout(timer))
}
