// Retry policy of failed generations, and how the time for an answer is divided among models and attempts.
import type { CallLimits } from '#server/integrations/llm/llm.ts'
import { appErrorData } from '#shared/errors.ts'

/** `retryAfterMs` null: given up. */
export type Failure = { reason: string; retryAfterMs: number | null }

/** Where a turn stands with its tries when one of them has failed. */
export type Tries = {
  /** Tries that failed before. */
  before: number
  /** Since the first of them began. */
  elapsedMs: number
  /** Within which time the customer is to be answered. */
  answerMs: number
  /** 0 to 1, spreads the tries of many turns. */
  chance: number
  /** As of `PipelineContext`. */
  waitShare?: number
}

/** Waits before the second and the third try. */
const BACKOFF_MS = [1000, 5000]
/** An empty answer is not among them: the model was asked again in other words already. */
const TEMPORARY = new Set(['timeout', 'rate_limited', 'unavailable', 'bad_answer'])
/** Part of the time for an answer below which another try is not worth it. */
const LEAST_SHARE = 0.1
/** How much longer than its equal share of the time a model may talk once it has begun. */
const TALKING_SHARE = 1.5

/** @param errors of the models that were asked, one after another, in one try; the turn is named after the first */
export function planAfterFailure(errors: unknown[], tries: Tries): Failure {
  const reason = failureReason(errors[0])
  const backoffMs = BACKOFF_MS[tries.before]
  const temporary = errors.filter(isTemporary)
  if (temporary.length === 0 || backoffMs === undefined) return { reason, retryAfterMs: null }
  const askedMs = Math.min(...temporary.map(askedWaitMs))
  const retryAfterMs = Math.max(askedMs, Math.round(backoffMs * (tries.waitShare ?? 1) * (1 + tries.chance / 2)))
  const isInTime = tries.elapsedMs + retryAfterMs <= tries.answerMs * (1 - LEAST_SHARE)
  return { reason, retryAfterMs: isInTime ? retryAfterMs : null }
}

/** A code for what went wrong: the provider's failure, the error of the catalogue, or `internal`. */
export function failureReason(error: unknown): string {
  const data = appErrorData(error)
  return typeof data?.params.reason === 'string' ? data.params.reason : (data?.code ?? 'internal')
}

/**
 * Remaining time for an attempt, milliseconds. One that starts long after the first, because no server was running, gets the full time.
 *
 * @param elapsedMs since the first try of the turn began
 */
export function timeForTry(answerMs: number, elapsedMs: number): number {
  const leftMs = answerMs - elapsedMs
  return leftMs < answerMs * LEAST_SHARE ? answerMs : leftMs
}

/** What one model may take of the time that is left, so that those after it have theirs; the last may take all of it. */
export function shareOfTime(leftMs: number, modelsLeft: number): CallLimits {
  const firstTokenMs = Math.round(leftMs / modelsLeft)
  return { firstTokenMs, totalMs: modelsLeft === 1 ? firstTokenMs : Math.round(firstTokenMs * TALKING_SHARE) }
}

function isTemporary(error: unknown): boolean {
  const data = appErrorData(error)
  return data?.code === 'model_failed' ? TEMPORARY.has(failureReason(error)) : data === undefined
}

/** How long the provider wants to be left alone. */
function askedWaitMs(error: unknown): number {
  const asked = appErrorData(error)?.params.retryAfterMs
  return typeof asked === 'number' ? asked : 0
}
