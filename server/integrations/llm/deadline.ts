// The time a model call may take. One timer serves both limits; the caller's own abort passes through.
import type { CallLimits } from './llm.ts'

export type ModelLimits = CallLimits & {
  /** Longest pause before a retry, milliseconds. When a provider asks for more, there is no retry. */
  maxRetryDelayMs: number
}

/** A customer receives an answer, or a notice of the failure, within a minute; the pipeline takes some seconds of it. */
export const MODEL_LIMITS: ModelLimits = { firstTokenMs: 40_000, totalMs: 55_000, maxRetryDelayMs: 5_000 }

/** The limits of one call: those of the installation, or the caller's own where they are tighter. */
export function tighten(limits: ModelLimits, own: CallLimits | undefined): ModelLimits {
  if (!own) return limits
  return {
    firstTokenMs: Math.min(limits.firstTokenMs, own.firstTokenMs),
    totalMs: Math.min(limits.totalMs, own.totalMs),
    maxRetryDelayMs: limits.maxRetryDelayMs,
  }
}

export interface Deadline {
  /** Aborts with the caller's reason, or when a limit is exceeded. */
  readonly signal: AbortSignal
  /** Whether a limit was exceeded, as opposed to an abort by the caller. */
  readonly isPassed: boolean
  remainingMs(): number
  /** From now on only the total counts, until the next `awaitFirstToken`. */
  gotFirstToken(): void
  awaitFirstToken(): void
  stop(): void
}

/** Starts the clock. `stop` must be called. */
export function startDeadline(caller: AbortSignal, limits: ModelLimits): Deadline {
  const controller = new AbortController()
  const endsAt = performance.now() + limits.totalMs
  let isPassed = false
  let timer: NodeJS.Timeout | undefined
  const remainingMs = () => Math.max(0, endsAt - performance.now())
  const pass = () => {
    isPassed = true
    controller.abort(new DOMException('The model took too long.', 'TimeoutError'))
  }
  const set = (milliseconds: number) => {
    clearTimeout(timer)
    timer = setTimeout(pass, milliseconds)
  }
  const giveUp = () => controller.abort(caller.reason)
  if (caller.aborted) giveUp()
  else caller.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controller.signal,
    get isPassed() {
      return isPassed
    },
    remainingMs,
    gotFirstToken: () => set(remainingMs()),
    awaitFirstToken: () => set(Math.min(limits.firstTokenMs, remainingMs())),
    stop() {
      clearTimeout(timer)
      caller.removeEventListener('abort', giveUp)
    },
  }
}

/** The promise's result, or the signal's reason as soon as it aborts, whatever the promise then does. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
