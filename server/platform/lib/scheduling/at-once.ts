// Runs a list with bounded concurrency; one failure does not stop the rest.

type AtOnce<T> = { atOnce: number; signal: AbortSignal; run(each: T): Promise<unknown> }

/** Starts nothing more once `signal` is aborted. @returns the errors, in any order */
export async function runAtOnce<T>(list: readonly T[], { atOnce, signal, run }: AtOnce<T>): Promise<unknown[]> {
  const failures: unknown[] = []
  const waiting = list.values()
  const work = async () => {
    for (const each of waiting) {
      if (signal.aborted) return
      await run(each).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return failures
}
