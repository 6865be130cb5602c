// A list worked off by a few at once, where what fails must not hold up the rest.
import pMap from 'p-map'

type AtOnce<T> = { atOnce: number; signal: AbortSignal; run(each: T): Promise<unknown> }

/** Nothing more is begun once the signal is aborted; what is under way is waited for. @returns what went wrong, in any order */
export async function runAtOnce<T>(list: readonly T[], { atOnce, signal, run }: AtOnce<T>): Promise<unknown[]> {
  const failures: unknown[] = []
  const runOne = async (each: T) => {
    if (!signal.aborted) await run(each).catch((error: unknown) => failures.push(error))
  }
  await pMap(list, runOne, { concurrency: atOnce })
  return failures
}
