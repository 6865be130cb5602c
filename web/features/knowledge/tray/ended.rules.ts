// Which documents have come to an end between two looks at the work.
import type { DocumentWork, WorkItem } from '#shared/knowledge.ts'

/** Cancelled ones are no news to whoever has cancelled them. Without an earlier look nothing is news. */
export function endedSince(
  before: DocumentWork | undefined,
  now: DocumentWork,
): { ready: WorkItem[]; failed: WorkItem[] } {
  const wasUnfinished = new Set(before?.unfinished.map(({ _id }) => _id))
  const ended = now.ended.filter(({ _id }) => wasUnfinished.has(_id))
  return {
    ready: ended.filter(({ status }) => status === 'ready'),
    failed: ended.filter(({ status, errorReason }) => status === 'error' && errorReason !== 'cancelled'),
  }
}
