// Retries are rationed per account at a provider, so that a failing provider does not get twice the calls, and no account uses up the
// retries of others.

/** The most retries that one account may use at once. */
const BURST = 5
/** The share of a retry that each first call earns: in the long run at most 1.2 calls for each one needed. */
const EARNED = 0.2
/** The most accounts that are remembered; those of customers' keys come and go. */
const MAX_ACCOUNTS = 1000

export interface RetryBudget {
  /** Counts a first call. */
  earn(account: string): void
  /** Whether a retry is allowed; counts it if so. */
  take(account: string): boolean
}

/** A budget that starts full. */
export function createRetryBudget(): RetryBudget {
  const left = new Map<string, number>()
  return {
    earn(account) {
      if (left.size >= MAX_ACCOUNTS) left.clear()
      left.set(account, Math.min(BURST, (left.get(account) ?? BURST) + EARNED))
    },
    take(account) {
      const available = left.get(account) ?? BURST
      if (available < 1) return false
      left.set(account, available - 1)
      return true
    },
  }
}
