// Retries are rationed per account at a provider, so that a failing provider does not get twice the calls, and no account uses up the
// retries of others.

/** Second tries that one account may get at once. */
const BURST = 5
/** Part of a second try that each first try earns: in the long run at most 1.2 calls for each that is needed. */
const EARNED = 0.2
/** Accounts that are remembered; those of own keys come and go. */
const MAX_ACCOUNTS = 1000

export interface RetryBudget {
  /** A first try is being made. */
  earn(account: string): void
  /** Whether a second try may be made; it is then counted. */
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
