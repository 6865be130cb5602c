// How high the bars of a chart are.

/** A bar is never lower than this, in percent. */
const LOWEST_BAR = 6

/** Height of a bar in percent of the tallest one; at least 6. */
export function barHeight(value: number, most: number): number {
  return most <= 0 ? LOWEST_BAR : Math.max(LOWEST_BAR, Math.min(100, (value / most) * 100))
}
