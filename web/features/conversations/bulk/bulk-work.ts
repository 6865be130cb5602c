// The bulk changes of this tab and their failures. Kept outside the screens, since a change continues after its rows have left the list and
// after the list is closed. Changes run one after another.
import { useSyncExternalStore } from 'react'
import type { ErrorCode } from '#shared/errors.ts'
import type { Conversation, ConversationFolder } from '#shared/messaging/conversations.ts'

export type BulkFailure = { conversationId: Conversation['_id']; error: ErrorCode }
/** Progress of the running change. */
export type BulkProgress = { done: number; total: number }
/** The list from which conversations are changed: its folder, and the ones it had loaded. */
export type BulkList = { folder: ConversationFolder; conversations: Conversation[] }
export type BulkOutcome = BulkList & { updated: number; failures: BulkFailure[] }
type BulkWork = {
  progress: BulkProgress | null
  /** The running change starts no further portion. */
  isCancelled: boolean
  /** Kept until dismissed. */
  outcome: BulkOutcome | null
}
/** Handle of one change. */
export type BulkRun = {
  /** Whether another portion may start. */
  isWanted(): boolean
  tellProgress(progress: BulkProgress): void
  tellOutcome(outcome: BulkOutcome): void
}

const IDLE: BulkWork = { progress: null, isCancelled: false, outcome: null }
let work = IDLE
let last: Promise<unknown> = Promise.resolve()
/** Incremented on sign-out, so that the results of one user's changes are not shown to the next. */
let session = 0
const listeners = new Set<() => void>()

/** Live. */
export function useBulkWork(): BulkWork {
  return useSyncExternalStore(subscribe, () => work)
}

/** Runs a bulk change after those before it have finished. */
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

/** Stops the running change before its next portion. */
export function cancelBulk(): void {
  set({ isCancelled: true })
}

/** Shows the failures of a change; null dismisses them. */
export function setBulkOutcome(outcome: BulkOutcome | null): void {
  set({ outcome })
}

/** Called on sign-out: no further portion starts, and no result is shown. */
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
