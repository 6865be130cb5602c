// In a conversation that waits for somebody to be free: its place in the queue, and since when.
import type { Conversation } from '#shared/conversations.ts'
import type { Queue } from '#shared/operators.ts'
import { api } from '#web/api.ts'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Nothing while it does not wait. */
export function QueueNote({ conversation: { _id, queuedAt } }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const queue: Queue | undefined = useQuery(api.conversations.queue, queuedAt === null ? 'skip' : {})
  if (queuedAt === null || !queue) return null
  const place = queue.first.findIndex(({ conversationId }) => conversationId === _id) + 1
  return (
    <p className="bg-warning-soft px-4 pb-2 text-[0.8125rem] text-warning-soft-foreground sm:px-6">
      {place > 0 ? t(($) => $.banner.queued, { place, total: queue.count }) : t(($) => $.banner.queuedLate)}{' '}
      <RelativeTime at={queuedAt} />
    </p>
  )
}
