// The place of a conversation in the queue for an available operator.
import type { Conversation } from '#shared/messaging/conversations.ts'
import type { Queue } from '#shared/messaging/operators.ts'
import { api } from '#web/api.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Live. Null while it does not wait, or unknown; `place` counts from 1 and is null when far back. All callers share one query. */
export function useQueuePlace({
  _id,
  thread,
  queuedAt,
}: Pick<Conversation, '_id' | 'thread' | 'queuedAt'>): { place: number | null; total: number } | null {
  const queue: Queue | undefined = useQuery(api.conversations.queue, queuedAt === null ? 'skip' : {})
  if (queuedAt === null || !queue) return null
  const at = queue.first.findIndex(
    ({ conversationId, threadId }) => conversationId === _id || (threadId !== null && threadId === thread?._id),
  )
  return { place: at < 0 ? null : at + 1, total: queue.count }
}
