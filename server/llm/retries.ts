// Second tries are rationed per provider, so that a provider in trouble does not get twice the calls.

/** Second tries that one provider may get at once. */
const BURST = 5
/** Part of a second try that each first try earns: in the long run at most 1.2 calls for each that is needed. */
const EARNED = 0.2

export interface RetryBudget {
  /** A first try is being made. */
  earn(provider: string): void
  /** Whether a second try may be made; it is then counted. */
  take(provider: string): boolean
}

/** A budget that starts full. */
export function createRetryBudget(): RetryBudget {
  const left = new Map<string, number>()
  return {
    earn(provider) {
      left.set(provider, Math.min(BURST, (left.get(provider) ?? BURST) + EARNED))
    },
    take(provider) {
      const available = left.get(provider) ?? BURST
      if (available < 1) return false
      left.set(provider, available - 1)
      return true
    },
  }
}
