// How durations are reported.

/** Whole milliseconds. */
export type Spread = { p50: number; p95: number; most: number }

/** Of any order; zeros where there are none. */
export function spreadOf(values: number[]): Spread {
  const sorted = values.map(Math.round).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), most: at(1) }
}
