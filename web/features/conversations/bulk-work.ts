// What this tab is changing of many conversations at once, and what has failed of it: kept beside the screens, since the change goes on when
// its rows have left the list, and when the list itself is left.
import { useSyncExternalStore } from 'react'
import type { Conversation, ConversationPlace } from '#shared/conversations.ts'
import type { ErrorCode } from '#shared/errors.ts'

export type BulkFailure = { conversationId: Conversation['_id']; error: ErrorCode }
/** What is under way, and how much of it is done. */
export type BulkProgress = { done: number; total: number }
/** The list from which conversations were changed: its place, and those that it had loaded. */
export type BulkList = { place: ConversationPlace; conversations: Conversation[] }
export type BulkOutcome = BulkList & { updated: number; failures: BulkFailure[] }
type BulkWork = {
  progress: BulkProgress | null
  /** Until it is put away. */
  outcome: BulkOutcome | null
  /** No further portion is begun. */
  isCancelled: boolean
}

const IDLE: BulkWork = { progress: null, outcome: null, isCancelled: false }
let work = IDLE
const listeners = new Set<() => void>()

/** Live. */
export function useBulkWork(): BulkWork {
  return useSyncExternalStore(subscribe, currentWork)
}

export function currentWork(): BulkWork {
  return work
}

/** Changes a part of what is known. */
export function setBulkWork(change: Partial<BulkWork>): void {
  work = { ...work, ...change }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
