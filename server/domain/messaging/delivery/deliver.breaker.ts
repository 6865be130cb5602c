// Circuit breaker for a provider that cannot be reached: after a few failures in a row one trial send is let through now and then, the
// others wait. Not cockatiel's: its breaker wraps a call and rejects it, while here a row waits that needs to know for how long.

const FAILURES = 5
const HOLD_MS = 30_000

export interface Breaker {
  /** Milliseconds that sends through a connection have to wait; 0: this one may be tried. */
  waitMs(connectionId: string, now: number): number
  /** Whether sends through a connection are not held back. Unlike `waitMs`, it takes no trial send. */
  isClosed(connectionId: string): boolean
  succeeded(connectionId: string): void
  failed(connectionId: string, now: number): void
}

/** A breaker for all connections of this process; every one is closed at first. */
export function createBreaker(): Breaker {
  const troubles = new Map<string, { failures: number; holdUntil: number }>()
  return {
    waitMs(connectionId, now) {
      const trouble = troubles.get(connectionId)
      if (!trouble || trouble.failures < FAILURES) return 0
      if (trouble.holdUntil > now) return trouble.holdUntil - now
      trouble.holdUntil = now + HOLD_MS
      return 0
    },
    isClosed: (connectionId) => (troubles.get(connectionId)?.failures ?? 0) < FAILURES,
    succeeded(connectionId) {
      troubles.delete(connectionId)
    },
    failed(connectionId, now) {
      const trouble = troubles.get(connectionId) ?? { failures: 0, holdUntil: 0 }
      trouble.failures++
      if (trouble.failures >= FAILURES) trouble.holdUntil = now + HOLD_MS
      troubles.set(connectionId, trouble)
    },
  }
}
