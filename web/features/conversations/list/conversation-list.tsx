// The list of conversations: live, paginated. Search results are in found-list.tsx.
import { Inbox } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Link } from 'react-router'
import type { Conversation, ConversationFilter } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { usePaginatedQuery } from '#web/lib/server/convex.ts'
import { NO_FILTERS, useInboxFilters } from '../filters/use-inbox-filters.ts'
import { listKey, readScroll } from './scroll-restoration.ts'
import { VirtualRows } from './virtual-rows.tsx'

const PAGE_SIZE = 50
/** Limit of the first page; a reader who was further down returns to its end. */
const PAGE_MAX = 500

/** The props of any list of conversations. */
export type ConversationListProps = {
  filter: ConversationFilter
  isFiltered: boolean
  selectedId: string | null
  /** There is no conversation anywhere; undefined until known. */
  isUnused: boolean | undefined
  /** Receives the number of conversations shown, once known. */
  onCount: (shown: number) => void
}

/** All conversations that match the filter. */
export function ConversationList({ filter, isFiltered, selectedId, isUnused, onCount }: ConversationListProps) {
  const { results, status, loadMore } = usePaginatedQuery(api.conversations.list, filter, {
    initialNumItems: useFirstPageSize(),
  })
  const conversations: Conversation[] = results
  const shown = conversations.length
  const isLoading = status === 'LoadingFirstPage'
  useEffect(() => {
    if (!isLoading) onCount(shown)
  }, [isLoading, shown, onCount])
  if (isLoading) {
    return (
      <Delayed>
        <ListSkeleton />
      </Delayed>
    )
  }
  if (shown === 0 && isFiltered) return <NothingMatches />
  if (shown === 0 && isUnused === undefined) return null
  if (shown === 0) return isUnused ? <NoConversations /> : <InboxDone />
  return (
    <VirtualRows
      conversations={conversations}
      selectedId={selectedId}
      canLoadMore={status === 'CanLoadMore'}
      onLoadMore={() => loadMore(PAGE_SIZE)}
      filter={filter}
    />
  )
}

/** The number of rows that were loaded when the list was left, so that the reader returns to the same place. */
function useFirstPageSize(): number {
  const [query] = useInboxFilters()
  const key = listKey(query)
  return useMemo(() => Math.min(Math.max(readScroll(key)?.loaded ?? 0, PAGE_SIZE), PAGE_MAX), [key])
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
        <Link to={paths.channelSetup('telegram')} className={buttonClasses({ variant: 'primary' })}>
          {t(($) => $.list.connect)}
        </Link>
      }
    />
  )
}

function InboxDone() {
  const { t } = useTranslation('conversations')
  return (
    <EmptyState
      className="m-4 border-none"
      icon={Inbox}
      title={t(($) => $.list.doneTitle)}
      description={t(($) => $.list.doneBody)}
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

/** Shown while rows are loading. */
export function ListSkeleton() {
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
