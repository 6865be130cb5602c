// Background work on the spaces of all organizations, by turns; a failure in one does not affect the others.

/**
 * Repeats rounds until nothing is left. A space that fails gets no further turn; the others continue. Starts with another space each time:
 * when time runs out, the same ones are not always left.
 *
 * @param turn one turn at a space; whether nothing is left to do there
 * @throws AggregateError in the end, when any failed
 */
export async function byTurns<Space>(
  spaces: readonly Space[],
  turn: (space: Space) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  const first = Math.floor(Math.random() * spaces.length)
  let rest = [...spaces.slice(first), ...spaces.slice(0, first)]
  while (rest.length > 0) {
    const unfinished: Space[] = []
    for (const space of rest) {
      signal.throwIfAborted()
      try {
        if (!(await turn(space))) unfinished.push(space)
      } catch (error) {
        signal.throwIfAborted()
        failures.push(error)
      }
    }
    rest = unfinished
  }
  if (failures.length > 0) throw new AggregateError(failures, summaryOf(failures, spaces.length))
}

function summaryOf([first, ...others]: unknown[], total: number): string {
  const reason = first instanceof Error ? first.message : String(first)
  return `${others.length + 1} of ${total} failed, the first with: ${reason}`
}
