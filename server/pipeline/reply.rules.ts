// What a failed generation leads to.
import { appErrorData } from '#shared/errors.ts'

/** `retryAfterMs` null: given up. */
export type Failure = { reason: string; retryAfterMs: number | null }

/** Waits before the second and the third try. */
const BACKOFF_MS = [1000, 5000]
const TEMPORARY = new Set(['timeout', 'rate_limited', 'unavailable', 'bad_answer', 'empty'])
/** A provider that asks for a longer wait than this is not waited for: the customer should not be answered hours later. */
const LONGEST_WAIT_MS = 60_000

/**
 * @param failedBefore tries of this turn that failed already
 * @param chance 0 to 1, spreads the tries of many turns
 */
export function planAfterFailure(error: unknown, failedBefore: number, chance: number): Failure {
  const data = appErrorData(error)
  const reason = failureReason(error)
  const backoffMs = BACKOFF_MS[failedBefore]
  const isTemporary = data?.code === 'model_failed' ? TEMPORARY.has(reason) : data === undefined
  if (!isTemporary || backoffMs === undefined) return { reason, retryAfterMs: null }
  const asked = typeof data?.params.retryAfterMs === 'number' ? data.params.retryAfterMs : 0
  if (asked > LONGEST_WAIT_MS) return { reason, retryAfterMs: null }
  return { reason, retryAfterMs: Math.max(asked, Math.round(backoffMs * (1 + chance / 2))) }
}

/** A code for what went wrong: the provider's failure, the error of the catalogue, or `internal`. */
export function failureReason(error: unknown): string {
  const data = appErrorData(error)
  return typeof data?.params.reason === 'string' ? data.params.reason : (data?.code ?? 'internal')
}
