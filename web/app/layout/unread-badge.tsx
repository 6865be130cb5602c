// The number of unread conversations, next to their navigation entry.
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUnread } from '#web/lib/use-unread.ts'

/** `isOverIcon`: at the corner of its container. Renders nothing when none is unread. */
export function UnreadBadge({ isOverIcon = false }: { isOverIcon?: boolean }) {
  const { t } = useTranslation()
  const unread = useUnread()
  if (!unread) return null
  const { count, isMore, text } = unread
  return (
    <span
      className={cn(
        'inline-flex items-center justify-center rounded-full bg-primary font-semibold text-primary-foreground tabular-nums',
        isOverIcon
          ? 'absolute -top-1.5 left-1/2 h-4 min-w-4 px-1 text-[0.625rem]'
          : 'ms-auto h-5 min-w-5 shrink-0 px-1.5 text-xs',
      )}
    >
      <span aria-hidden="true">{text}</span>
      <span className="sr-only">
        {isMore ? t(($) => $.nav.unreadMore, { count }) : t(($) => $.nav.unread, { count })}
      </span>
    </span>
  )
}
