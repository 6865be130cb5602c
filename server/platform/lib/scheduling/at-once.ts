// Runs a list with bounded concurrency; one failure does not stop the rest.
import pMap from 'p-map'

type AtOnce<T> = { atOnce: number; signal: AbortSignal; run(each: T): Promise<unknown> }

/** Starts nothing more once `signal` is aborted; waits for what is running. @returns the errors, in any order */
export async function runAtOnce<T>(list: readonly T[], { atOnce, signal, run }: AtOnce<T>): Promise<unknown[]> {
  const failures: unknown[] = []
  const runOne = async (each: T) => {
    if (!signal.aborted) await run(each).catch((error: unknown) => failures.push(error))
  }
  await pMap(list, runOne, { concurrency: atOnce })
  return failures
}
