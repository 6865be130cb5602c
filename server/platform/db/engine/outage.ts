// For libraries that take every failure of the database for "no such row": what they answer while it is away is not believed.
import { AsyncLocalStorage } from 'node:async_hooks'
import { isUnavailable } from './engine.ts'

type Watch = { outage: unknown }
const watches = new AsyncLocalStorage<Watch>()

/** Called with errors of the root database, before a library that uses it sees them. */
export function noteOutage(error: unknown): void {
  const watch = watches.getStore()
  if (watch && isUnavailable(error)) watch.outage ??= error
}

/**
 * What `run` comes to.
 * @throws the outage that befell its statements, when it failed or its result is `suspect`
 */
export async function unlessOutage<T>(run: () => Promise<T>, isSuspect: (result: T) => boolean): Promise<T> {
  const watch: Watch = { outage: null }
  try {
    const result = await watches.run(watch, run)
    if (watch.outage && isSuspect(result)) throw watch.outage
    return result
  } catch (error) {
    throw watch.outage ?? error
  }
}
