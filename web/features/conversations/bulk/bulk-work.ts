// What this tab is changing of many conversations at once, and what has failed of it: kept beside the screens, since the change goes on when
// its rows have left the list, and when the list itself is left. One change after another.
import { useSyncExternalStore } from 'react'
import type { ErrorCode } from '#shared/errors.ts'
import type { Conversation, ConversationPlace } from '#shared/messaging/conversations.ts'

export type BulkFailure = { conversationId: Conversation['_id']; error: ErrorCode }
/** What is under way, and how much of it is done. */
export type BulkProgress = { done: number; total: number }
/** The list from which conversations were changed: its place, and those that it had loaded. */
export type BulkList = { place: ConversationPlace; conversations: Conversation[] }
export type BulkOutcome = BulkList & { updated: number; failures: BulkFailure[] }
type BulkWork = {
  progress: BulkProgress | null
  /** The change that is under way begins no further portion. */
  isCancelled: boolean
  /** Until it is put away. */
  outcome: BulkOutcome | null
}
/** One change. */
export type BulkRun = {
  /** Whether another portion may be begun. */
  isWanted(): boolean
  tellProgress(progress: BulkProgress): void
  tellOutcome(outcome: BulkOutcome): void
}

const IDLE: BulkWork = { progress: null, isCancelled: false, outcome: null }
let work = IDLE
let last: Promise<unknown> = Promise.resolve()
/** Counts the people who have worked in this tab: what the one before was told is nobody else's. */
let session = 0
const listeners = new Set<() => void>()

/** Live. */
export function useBulkWork(): BulkWork {
  return useSyncExternalStore(subscribe, () => work)
}

/** Carries out a change of many conversations once those before it are over. */
export function runBulk<T>(change: (run: BulkRun) => Promise<T>): Promise<T> {
  const own = session
  const isOurs = () => own === session
  const run: BulkRun = {
    isWanted: () => isOurs() && !work.isCancelled,
    tellProgress: (progress) => isOurs() && set({ progress }),
    tellOutcome: (outcome) => isOurs() && set({ outcome }),
  }
  const end = () => isOurs() && set({ progress: null, isCancelled: false })
  const result = last.then(() => change(run)).finally(end)
  last = result.catch(() => undefined)
  return result
}

/** Stops the change that is under way before its next portion. */
export function cancelBulk(): void {
  set({ isCancelled: true })
}

/** Shows what has failed of a change, until that is put away: null. */
export function setBulkOutcome(outcome: BulkOutcome | null): void {
  set({ outcome })
}

/** Whoever worked here is gone: nothing more is begun, and nothing is told. */
export function forgetBulk(): void {
  session++
  set(IDLE)
}

function set(change: Partial<BulkWork>): void {
  work = { ...work, ...change }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
