// One conversation in the list.
import { Check, Headset, Pause } from 'lucide-react'
import { Link } from 'react-router'
import type { Conversation, ConversationHit } from '#shared/messaging/conversations.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Tag } from '../panel/tag.tsx'
import { useCallReason } from '../use-call-reason.ts'
import { useQueuePlace } from './use-queue-place.ts'

/** Height of every row, CSS pixels. */
export const ROW_HEIGHT_PX = 84

type ConversationRowProps = {
  conversation: Conversation
  to: string
  isSelected: boolean
  /** Whether it is selected for a bulk change. */
  isChosen: boolean
  onChoose: (isRange: boolean) => void
  /** The search match in it. */
  excerpt?: ConversationHit['excerpt'] | undefined
}

/** The contact, the time, the last message, and what needs attention. */
export function ConversationRow({ conversation, to, isSelected, isChosen, onChoose, excerpt }: ConversationRowProps) {
  const { t } = useTranslation('conversations')
  const { customer, lastMessage, unreadCount, status, assignee } = conversation
  const name = customer?.name || t(($) => $.list.unnamed)
  return (
    <div
      className={cn(
        'flex h-full items-stretch border-border border-b hover:bg-muted/60',
        (isSelected || isChosen) && 'bg-primary-soft/60 hover:bg-primary-soft/60',
      )}
    >
      <Choose name={name} isChosen={isChosen} onChoose={onChoose} />
      <Link
        to={to}
        aria-current={isSelected || undefined}
        className="flex min-w-0 flex-1 items-center gap-3 pe-4 focus-visible:-outline-offset-2"
        onClick={(event) => {
          if (!event.shiftKey) return
          event.preventDefault()
          onChoose(true)
        }}
      >
        <Avatar avatar={null} name={name} className="size-10 bg-accent text-foreground" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={cn('min-w-0 flex-1 truncate', unreadCount > 0 ? 'font-semibold' : 'font-medium')}>
              {name}
            </span>
            <RelativeTime
              at={lastMessage?.at ?? conversation.createdAt}
              className="shrink-0 text-muted-foreground text-xs"
            />
          </span>
          <span className="mt-0.5 flex items-center gap-2">
            <span className={cn('min-w-0 flex-1 truncate', unreadCount === 0 && 'text-muted-foreground')}>
              {excerpt ? <Excerpt pieces={excerpt} /> : <Preview conversation={conversation} />}
            </span>
            {unreadCount > 0 && (
              <span className="inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-primary px-1.5 font-semibold text-primary-foreground text-xs tabular-nums">
                <span aria-hidden="true">{formatNumber(unreadCount)}</span>
                <span className="sr-only">{t(($) => $.list.unread, { count: unreadCount })}</span>
              </span>
            )}
          </span>
          <span className="mt-0.5 flex items-center gap-1.5 text-muted-foreground text-xs">
            <State conversation={conversation} />
            {(status === 'ended' || isQuietly(conversation)) && <span aria-hidden="true">·</span>}
            <span className="min-w-0 shrink-[2] truncate">{conversation.agentName}</span>
            {conversation.thread && (
              <span className="shrink-0">{t(($) => $.thread.mark, { count: conversation.thread.count })}</span>
            )}
            <RowTags tags={conversation.tags} />
            {assignee && (
              <span className="ms-auto flex min-w-0 max-w-28 items-center gap-1">
                <PersonAvatar person={assignee} isInside className="size-4 text-[0.5rem]" />
                <span aria-hidden="true" className="truncate">
                  {assignee.name}
                </span>
                <span className="sr-only">{t(($) => $.list.assignedTo, { name: assignee.name })}</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </div>
  )
}

type ChooseProps = Pick<ConversationRowProps, 'isChosen' | 'onChoose'> & { name: string }

/** With Shift it selects the range. */
function Choose({ name, isChosen, onChoose }: ChooseProps) {
  const { t } = useTranslation('conversations')
  return (
    // biome-ignore lint/a11y/useSemanticElements: while an input has the focus, the keys of the list would not act
    <button
      type="button"
      role="checkbox"
      aria-checked={isChosen}
      aria-label={t(($) => $.bulk.choose, { name })}
      className="flex w-11 shrink-0 items-center justify-center focus-visible:-outline-offset-2"
      onClick={(event) => onChoose(event.shiftKey)}
    >
      <span
        className={cn(
          'flex size-4 items-center justify-center rounded border border-input',
          isChosen && 'border-primary bg-primary text-primary-foreground',
        )}
      >
        {isChosen && <Check aria-hidden="true" className="size-3" />}
      </span>
    </button>
  )
}

function Excerpt({ pieces }: { pieces: NonNullable<ConversationHit['excerpt']> }) {
  return pieces.map(({ text, isMatch }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change their places
    isMatch ? <mark key={index}>{text}</mark> : text,
  )
}

/** Paused, with no operator requested. */
function isQuietly({ status, needsPerson }: Conversation): boolean {
  return status === 'paused' && !needsPerson
}

/** Renders nothing while the agent is active. */
function State({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const queued = useQueuePlace(conversation)
  const reasonOf = useCallReason()
  if (conversation.needsPerson) {
    return (
      <Badge tone="warning" className="h-5" title={t(($) => $.list.needsPerson)}>
        <Headset aria-hidden="true" />
        {reasonOf(conversation.calledFor)}
        {queued?.place && (
          <span title={t(($) => $.desk.queue)}>· {t(($) => $.list.queuePlace, { place: queued.place })}</span>
        )}
      </Badge>
    )
  }
  if (isQuietly(conversation)) {
    return (
      <span className="inline-flex items-center gap-1 text-warning-soft-foreground">
        <Pause aria-hidden="true" className="size-3" />
        {t(($) => $.status.paused)}
      </span>
    )
  }
  return conversation.status === 'ended' && <span>{t(($) => $.status.ended)}</span>
}

function Preview({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const { lastMessage, isReplying } = conversation
  if (isReplying) return <em>{t(($) => $.list.replying)}</em>
  if (!lastMessage) return t(($) => $.list.noMessages)
  const prefix = {
    agent: t(($) => $.author.agent),
    operator: t(($) => $.author.operator),
    customer: null,
    system: null,
  }
  const author = prefix[lastMessage.author]
  return author ? `${author}: ${lastMessage.text}` : lastMessage.text
}

/** Shows as many as fit: the leading sign takes no width, so that even the first tag can wrap to a hidden line. */
function RowTags({ tags }: Pick<Conversation, 'tags'>) {
  return (
    tags.length > 0 && (
      <span className="flex h-5 min-w-0 flex-1 flex-wrap gap-1 overflow-hidden">
        <span aria-hidden="true" className="h-5" />
        {tags.map((tag) => (
          <Tag key={tag} tag={tag} />
        ))}
      </span>
    )
  )
}
