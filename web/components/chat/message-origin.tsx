// What a messenger tells of a message beside its words: what it replies to, and that it was changed afterwards.
import type { Message } from '#shared/conversations.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** The beginning of what the message replies to; nothing where it replies to nothing. */
export function MessageQuote({ message }: { message: Message }) {
  const { t } = useTranslation('conversations')
  if (message.quoted === null) return null
  return (
    <blockquote className="mb-1.5 line-clamp-3 whitespace-pre-wrap break-words border-current border-l-2 pl-2 text-[0.8125rem] opacity-80">
      <span className="sr-only">{t(($) => $.message.quoted)} </span>
      {message.quoted}
    </blockquote>
  )
}

/** Says that the customer has changed the message, and when; nothing where they have not. */
export function EditedMark({ message }: { message: Message }) {
  const { t } = useTranslation('conversations')
  if (message.editedAt === null) return null
  return (
    <time
      dateTime={new Date(message.editedAt).toISOString()}
      title={formatDateTime(message.editedAt, 'full')}
      className="text-muted-foreground text-xs"
    >
      {t(($) => $.message.edited)}
    </time>
  )
}
