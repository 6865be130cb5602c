// In a conversation that waits for an available operator: its place in the queue, and since when.
import type { Conversation } from '#shared/messaging/conversations.ts'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQueuePlace } from '../list/use-queue-place.ts'

/** Renders nothing while it does not wait. */
export function QueueNote({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const { queuedAt } = conversation
  const queued = useQueuePlace(conversation)
  if (queuedAt === null || !queued) return null
  const { place, total } = queued
  return (
    <p className="bg-warning-soft px-4 pb-2 text-[0.8125rem] text-warning-soft-foreground sm:px-6">
      {place === null ? t(($) => $.banner.queuedLate) : t(($) => $.banner.queued, { place, total })}{' '}
      <RelativeTime at={queuedAt} />
    </p>
  )
}
