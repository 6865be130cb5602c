// What the outcome of one send means for its part.
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Id } from '#shared/ids.ts'
import type { SendOutcome } from '../outbox/deliver.store.ts'

export type Verdict = {
  status: 'failed' | 'unknown' | 'queued'
  error: string
  delayMs: number
  /** It may have been shown already. */
  mayHaveArrived: boolean
  isTokenRefused: boolean
  /** No connection to the provider, or no response from it. */
  isUnreachable: boolean
  /** The account can send nothing at this time, to any customer. */
  isAccountsFault: boolean
}

/** Something of our own was unreachable before the provider was asked: no failure of the provider. */
export class NotTriedError extends Error {}

/** Backoff after sends that definitely did not arrive. */
const BACKOFF_MS = [1000, 2000, 5000, 10_000, 30_000]
/** The account's state is checked every minute; until then the part is tried now and then. */
const SUSPENDED_MS = 20_000
/** Credentials have to be replaced by a person; as soon as they are, the part leaves (see recover.store.ts). */
const REFUSED_MS = 30_000
/** About two hours with an unreachable provider. */
const MAX_ATTEMPTS = 240
/** A part that a provider puts off for longer than this would come too late. */
const MAX_WAIT_MS = 2 * 3_600_000
const ERROR_LENGTH = 300

/** `attempt`: sends of this part so far, this one included. `triedForMs`: since the first of them. */
export type Tries = { attempt: number; triedForMs: number }

/**
 * @param dropsRepeats the receiver shows a part that comes twice only once, so what may have arrived is tried again
 */
export function judgeFailure(error: unknown, { attempt, triedForMs }: Tries, dropsRepeats = false): Verdict {
  if (error instanceof NotTriedError) {
    const text = `internal: ${error.message}`
    return attempt < MAX_ATTEMPTS ? { ...again(text, attempt), isUnreachable: false } : verdict('failed', text)
  }
  if (!(error instanceof AdapterError)) return { ...verdict('unknown', 'internal') }
  const text = `${error.kind}: ${error.message}`.slice(0, ERROR_LENGTH)
  switch (error.kind) {
    case 'rate_limited':
      return putOff(text, error.retryAfterMs ?? backoffMs(attempt), triedForMs)
    case 'suspended':
      return { ...putOff(text, SUSPENDED_MS, triedForMs), isAccountsFault: true }
    case 'conflict':
    case 'temporary':
      return attempt < MAX_ATTEMPTS ? again(text, attempt) : { ...verdict('failed', text), isUnreachable: true }
    case 'unauthorized':
      return { ...putOff(text, REFUSED_MS, triedForMs), isTokenRefused: true }
    case 'blocked':
    case 'out_of_window':
    case 'permanent':
      return verdict('failed', text)
    case 'unknown_outcome':
      if (dropsRepeats && attempt < MAX_ATTEMPTS) return { ...again(text, attempt), mayHaveArrived: true }
      return { ...verdict('unknown', text), isUnreachable: true, mayHaveArrived: true }
    default:
      return error.kind satisfies never
  }
}

/** As long as the provider says, never shorter; growing with each attempt where it says nothing. Not retried when it says too much, or again and again. */
function putOff(error: string, delayMs: number, triedForMs: number): Verdict {
  return triedForMs + delayMs > MAX_WAIT_MS ? verdict('failed', error) : { ...verdict('queued', error), delayMs }
}

function again(error: string, attempt: number): Verdict {
  return { ...verdict('queued', error), isUnreachable: true, delayMs: backoffMs(attempt) }
}

function backoffMs(attempt: number): number {
  return BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length) - 1] ?? 1000
}

function verdict(status: Verdict['status'], error: string): Verdict {
  return {
    status,
    error,
    delayMs: 0,
    mayHaveArrived: status === 'unknown',
    isTokenRefused: false,
    isUnreachable: false,
    isAccountsFault: false,
  }
}

/** The outcome of a part that may be marked as being sent and has definitely not left: it is due again, if `owner` still holds it. */
export function notSent(id: Id<'outbox'>, owner: number): SendOutcome {
  const queued = { status: 'queued', externalMessageId: null, mayHaveArrived: false, delayMs: 0 } as const
  return { id, owner, ...queued, error: 'temporary: interrupted', isPaced: false, hasReceipts: false, logged: null }
}
