// How deliveries are tried: when again, how often, and what an answer of the receiver means. Pure; the SQL of queues.store.ts applies it.
import { WEBHOOK_TRIED_HOURS, WEBHOOK_TRIES_MIN } from '#shared/webhooks/webhook-limits.ts'
import type { AttemptError } from '#shared/webhooks/webhooks.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** From a failed attempt of an event to its next, by how many have failed; the last one repeats. */
const EVENT_WAITS_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS],
]
/** Failures in a row after which the endpoint itself counts as failing: then one event at a time tries it. */
export const FAILURES_TO_REST = 3
/** Pauses of a failing endpoint, by how often it has failed since; the last one repeats. */
export const REST_WAITS_MS = [
  ...[10 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 15 * MINUTE_MS],
]
/** The longest pause that a receiver may ask for. */
const RETRY_AFTER_MAX_MS = 6 * HOUR_MS
/** Waits are lengthened by up to this share, so that what failed together is not tried together. */
const JITTER = 0.1

/** What came of an attempt. `answer`: the beginning of what was answered; `retryAfter`: the header as it came. */
export type Attempt = {
  status: number | null
  error: AttemptError | null
  latencyMs: number
  answer: string
  retryAfter: string | null
}

/** What follows for the event: it has arrived, is tried again, or is given up. */
export type Verdict = { state: 'delivered' } | { state: 'dead' } | { state: 'waiting'; waitMs: number }

/** @param tried how often the event was tried before this attempt, and how long ago first */
export function judge(
  { error }: Pick<Attempt, 'error'>,
  tried: { tries: number; firstAgoMs: number },
  random: number,
): Verdict {
  if (error === null) return { state: 'delivered' }
  const tries = tried.tries + 1
  if (tries >= WEBHOOK_TRIES_MIN && tried.firstAgoMs >= WEBHOOK_TRIED_HOURS * HOUR_MS) return { state: 'dead' }
  const waitMs = EVENT_WAITS_MS[Math.min(tries, EVENT_WAITS_MS.length) - 1] ?? HOUR_MS
  return { state: 'waiting', waitMs: Math.round(waitMs * (1 + JITTER * random)) }
}

/** Whether a status takes the event: 2xx alone. A redirect is none, since following it would pass the event on. */
export function isTaken(status: number): boolean {
  return status >= 200 && status < 300
}

/** For how long the receiver asks to be left alone, milliseconds; 0: it does not. Seconds and dates are understood. */
export function restAskedMs({ status, retryAfter }: Pick<Attempt, 'status' | 'retryAfter'>, now: number): number {
  if (retryAfter === null || status === null || isTaken(status)) return 0
  const asked = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * SECOND_MS : Date.parse(retryAfter) - now
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), RETRY_AFTER_MAX_MS) : 0
}
