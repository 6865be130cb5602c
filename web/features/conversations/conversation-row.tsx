// One conversation in the list.
import { Headset, Pause } from 'lucide-react'
import { Link } from 'react-router'
import type { Conversation } from '#shared/conversations.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Tag } from './tag.tsx'

/** Every row has this height, CSS pixels. */
export const ROW_HEIGHT_PX = 84

type ConversationRowProps = { conversation: Conversation; to: string; isSelected: boolean }

/** Who, when, the last words, and what needs attention. */
export function ConversationRow({ conversation, to, isSelected }: ConversationRowProps) {
  const { t } = useTranslation('conversations')
  const { customer, lastMessage, unreadCount, status, assignee } = conversation
  const name = customer?.name || t(($) => $.list.unnamed)
  return (
    <Link
      to={to}
      aria-current={isSelected || undefined}
      className={cn(
        'flex h-full items-center gap-3 border-border border-b px-4 focus-visible:-outline-offset-2 hover:bg-muted/60',
        isSelected && 'bg-primary-soft/60 hover:bg-primary-soft/60',
      )}
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
            <Preview conversation={conversation} />
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
          <span className="min-w-12 truncate">{conversation.agentName}</span>
          <RowTags tags={conversation.tags} />
          {assignee && (
            <span className="ms-auto max-w-24 shrink-0 truncate">
              <span aria-hidden="true">{assignee.name}</span>
              <span className="sr-only">{t(($) => $.list.assignedTo, { name: assignee.name })}</span>
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}

/** Paused, and nobody is awaited. */
function isQuietly({ status, needsPerson }: Conversation): boolean {
  return status === 'paused' && !needsPerson
}

/** Nothing for a conversation in which the agent speaks. */
function State({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  if (conversation.needsPerson) {
    return (
      <Badge tone="warning" className="h-5">
        <Headset aria-hidden="true" />
        {t(($) => $.list.needsPerson)}
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

/** As many as there is room for. */
function RowTags({ tags }: Pick<Conversation, 'tags'>) {
  return (
    tags.length > 0 && (
      <span className="flex h-5 min-w-0 flex-1 flex-wrap gap-1 overflow-hidden">
        {tags.map((tag) => (
          <Tag key={tag} tag={tag} />
        ))}
      </span>
    )
  )
}
