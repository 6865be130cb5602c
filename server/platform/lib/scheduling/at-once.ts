// A list worked off by a few at once, where what fails must not hold up the rest.

type AtOnce<T> = { atOnce: number; signal: AbortSignal; run(each: T): Promise<unknown> }

/** Nothing more is begun once nobody waits any more. @returns what went wrong, in any order */
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
