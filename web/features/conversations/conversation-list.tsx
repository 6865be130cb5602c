// The list of conversations: live, page by page, only visible rows drawn.
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp, Inbox } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Conversation, ConversationFilter } from '#shared/conversations.ts'
import { api } from '#web/api.ts'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { usePaginatedQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { ConversationRow, ROW_HEIGHT_PX } from './conversation-row.tsx'
import { NO_FILTERS, useConversationBesidePath, useInboxFilters } from './use-inbox-filters.ts'
import { useNewAbove } from './use-new-above.ts'

const PAGE_SIZE = 50

export type InboxCounts = { shown: number; unread: number }

type ConversationListProps = {
  filter: ConversationFilter
  isFiltered: boolean
  selectedId: string | null
  /** Hears how many conversations are shown and how many of their messages are unread, once that is known. */
  onCount: (counts: InboxCounts) => void
}

/** J and K open the next and the previous one. */
export function ConversationList({ filter, isFiltered, selectedId, onCount }: ConversationListProps) {
  const { results, status, loadMore } = usePaginatedQuery(api.conversations.list, filter, {
    initialNumItems: PAGE_SIZE,
  })
  const conversations: Conversation[] = results
  const unread = conversations.reduce((sum, conversation) => sum + conversation.unreadCount, 0)
  const shown = conversations.length
  const isLoading = status === 'LoadingFirstPage'
  useEffect(() => {
    if (!isLoading) onCount({ shown, unread })
  }, [isLoading, shown, unread, onCount])
  if (isLoading) {
    return (
      <Delayed>
        <ListSkeleton />
      </Delayed>
    )
  }
  if (shown === 0) return isFiltered ? <NothingMatches /> : <NoConversations />
  return (
    <VirtualRows
      conversations={conversations}
      selectedId={selectedId}
      canLoadMore={status === 'CanLoadMore'}
      onLoadMore={() => loadMore(PAGE_SIZE)}
    />
  )
}

type VirtualRowsProps = {
  conversations: Conversation[]
  selectedId: string | null
  canLoadMore: boolean
  onLoadMore: () => void
}

function VirtualRows({ conversations, selectedId, canLoadMore, onLoadMore }: VirtualRowsProps) {
  const { t } = useTranslation('conversations')
  const viewport = useRef<HTMLDivElement>(null)
  const hrefOf = useConversationHref()
  const rows = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT_PX,
    getItemKey: (index) => conversations[index]?._id ?? index,
    overscan: 8,
  })
  const lastShown = rows.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (canLoadMore && lastShown >= conversations.length - 10) onLoadMore()
  }, [canLoadMore, lastShown, conversations.length, onLoadMore])
  useMoveThroughList(conversations, selectedId, hrefOf, (index) => rows.scrollToIndex(index))
  const newAbove = useNewAbove(conversations, viewport)
  return (
    <div className="relative min-h-0 flex-1">
      <div ref={viewport} className="h-full overflow-y-auto overscroll-contain">
        <ul aria-label={t(($) => $.list.label)} className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const conversation = conversations[index]
            return (
              conversation && (
                <li
                  key={key}
                  aria-setsize={conversations.length}
                  aria-posinset={index + 1}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start}px)`, height: ROW_HEIGHT_PX }}
                >
                  <ConversationRow
                    conversation={conversation}
                    to={hrefOf(conversation._id)}
                    isSelected={conversation._id === selectedId}
                  />
                </li>
              )
            )
          })}
        </ul>
      </div>
      {newAbove > 0 && (
        <Button
          size="sm"
          className="absolute top-2 left-1/2 -translate-x-1/2 rounded-full shadow-raised"
          onClick={() => rows.scrollToOffset(0)}
        >
          <ArrowUp aria-hidden="true" />
          {t(($) => $.list.newAbove, { count: newAbove })}
        </Button>
      )}
    </div>
  )
}

/** Where a row leads: beside the list when there is room, else to a page of its own. */
function useConversationHref(): (conversationId: string) => string {
  const isWide = useIsWide()
  const pathBeside = useConversationBesidePath()
  return isWide ? pathBeside : paths.conversation
}

function useMoveThroughList(
  conversations: Conversation[],
  selectedId: string | null,
  hrefOf: (conversationId: string) => string,
  reveal: (index: number) => void,
): void {
  const navigate = useNavigate()
  const at = conversations.findIndex((conversation) => conversation._id === selectedId)
  const open = (index: number) => {
    const conversation = conversations[index]
    if (!conversation) return
    reveal(index)
    void navigate(hrefOf(conversation._id))
  }
  useShortcut('nextItem', () => open(at + 1))
  useShortcut('previousItem', () => open(at < 0 ? 0 : at - 1))
}

function NoConversations() {
  const { t } = useTranslation('conversations')
  return (
    <EmptyState
      className="m-4 border-none"
      icon={Inbox}
      title={t(($) => $.list.emptyTitle)}
      description={t(($) => $.list.emptyBody)}
      action={
        <Link to={paths.telegramSetup} className={buttonClasses({ variant: 'primary' })}>
          {t(($) => $.list.connect)}
        </Link>
      }
    />
  )
}

function NothingMatches() {
  const { t } = useTranslation('conversations')
  const [, setQuery] = useInboxFilters()
  return (
    <EmptyState
      className="m-4 border-none"
      icon={Inbox}
      title={t(($) => $.list.nothingMatches)}
      description={t(($) => $.list.nothingMatchesBody)}
      action={<Button onClick={() => void setQuery(NO_FILTERS)}>{t(($) => $.list.clearFilters)}</Button>}
    />
  )
}

function ListSkeleton() {
  return (
    <div className="flex flex-col gap-px p-4">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <div key={key} className="flex items-center gap-3 py-3">
          <Skeleton className="size-10 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-1/2" />
            <Skeleton className="h-3.5 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  )
}
