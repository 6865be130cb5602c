// What a messenger reports about a message besides its text: what it replies to, that it was edited, and that it was taken as a rating.
import { Forward, Star } from 'lucide-react'
import type { Message } from '#shared/messaging/conversations.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** The beginning of the message that this one replies to; renders nothing when it is no reply. */
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

/** Marks a message with forwarded words or files and names their author; renders nothing when all of it is the customer's own. */
export function ForwardMark({ message: { forwarded } }: { message: Message }) {
  const { t } = useTranslation('conversations')
  if (forwarded === null) return null
  const { from: name } = forwarded
  return (
    <span className="inline-flex max-w-full items-center gap-1 text-muted-foreground text-xs">
      <Forward aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="break-words">
        {name === null ? t(($) => $.message.forwarded) : t(($) => $.message.forwardedFrom, { name })}
      </span>
    </span>
  )
}

/** The customer's own words, and below them what they forward. */
export function ForwardedBody({ message, text }: { message: Message; text: string }) {
  const own = message.text.slice(0, message.text.length - text.length).trim()
  return (
    <div className="flex flex-col gap-1.5">
      {own && <p className="whitespace-pre-wrap break-words leading-relaxed">{own}</p>}
      <ForwardMark message={message} />
      {text && (
        <blockquote className="whitespace-pre-wrap break-words border-current border-l-2 pl-2 leading-relaxed">
          {text}
        </blockquote>
      )}
    </div>
  )
}

/** Shows that the customer has edited the message, and when; renders nothing otherwise. */
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

/** Shows which rating the message was taken for; renders nothing for other messages. */
export function RatingMark({ message: { author, reason } }: { message: Message }) {
  const { t } = useTranslation('conversations')
  if (author !== 'customer' || (reason !== 'rating' && reason !== 'rating_comment')) return null
  return (
    <span className="inline-flex items-center gap-1 text-muted-foreground text-xs">
      <Star aria-hidden="true" className="size-3.5 shrink-0" />
      {t(($) => $.message[reason === 'rating' ? 'rating' : 'ratingComment'])}
    </span>
  )
}
