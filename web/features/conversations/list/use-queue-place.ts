// Which place a conversation has in the queue of those that wait for somebody to be free.
import type { Conversation } from '#shared/messaging/conversations.ts'
import type { Queue } from '#shared/messaging/operators.ts'
import { api } from '#web/api.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Live. Null while it does not wait, or it is not known; `place` counts from 1 and is null for one far back. All who ask share one query. */
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
