// The customer's rating of the conversation.
import { Star } from 'lucide-react'
import type { OpenConversation } from '#shared/messaging/conversations.ts'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Renders nothing without a rating. */
export function RatingNote({ rating }: Pick<OpenConversation, 'rating'>) {
  const { t } = useTranslation('conversations')
  if (!rating) return null
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 border-border border-b px-4 py-2 text-[0.8125rem] sm:px-6">
      <Star aria-hidden="true" className="size-4 shrink-0 text-warning-soft-foreground" />
      <span className="font-medium">{t(($) => $.rating.score, { score: rating.score })}</span>
      {rating.comment && <q className="min-w-0 break-words">{rating.comment}</q>}
      <RelativeTime at={rating.at} className="text-muted-foreground text-xs" />
    </p>
  )
}
