// The list of conversations: live, page by page, or what a search has found.
import { Inbox, SearchX } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Link } from 'react-router'
import type { Conversation, ConversationFilter, ConversationHits } from '#shared/conversations.ts'
import { SEARCH_HITS_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useAction, usePaginatedQuery, useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useFetched } from '#web/lib/query-client.ts'
import { NO_FILTERS, useInboxFilters } from './use-inbox-filters.ts'
import { VirtualRows } from './virtual-rows.tsx'

const PAGE_SIZE = 50

type ConversationListProps = {
  filter: ConversationFilter
  isFiltered: boolean
  selectedId: string | null
  /** There is no conversation anywhere; undefined until that is known. */
  isUnused: boolean | undefined
  /** Hears how many conversations are shown, once that is known. */
  onCount: (shown: number) => void
}

/** All that pass the filter. */
export function ConversationList({ filter, isFiltered, selectedId, isUnused, onCount }: ConversationListProps) {
  const { results, status, loadMore } = usePaginatedQuery(api.conversations.list, filter, {
    initialNumItems: PAGE_SIZE,
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
    />
  )
}

type FoundListProps = ConversationListProps & { words: string }

/** Those of the conversations with these words that pass the filter. They stay live; which they are is asked when the words change. */
export function FoundList({ words, filter, selectedId, onCount }: FoundListProps) {
  const { t } = useTranslation('conversations')
  const search = useAction(api.conversations.search)
  const answer = useFetched(['conversations', 'search', words], () => search({ query: words }))
  const hits: ConversationHits | undefined = answer.value
  const conversations: Conversation[] | undefined = useQuery(
    api.conversations.found,
    hits ? { ...filter, conversationIds: hits.hits.map((hit) => hit.conversationId) } : 'skip',
  )
  const excerpts = useMemo(() => new Map(hits?.hits.map((hit) => [hit.conversationId, hit.excerpt])), [hits])
  const shown = conversations?.length
  useEffect(() => {
    if (shown !== undefined) onCount(shown)
  }, [shown, onCount])
  if (answer.error) return <NothingFound />
  if (!conversations) {
    return (
      <Delayed>
        <ListSkeleton />
      </Delayed>
    )
  }
  if (conversations.length === 0) return <NothingFound />
  return (
    <>
      {hits?.isCut && (
        <p className="border-border border-b px-4 py-2 text-muted-foreground text-xs">
          {t(($) => $.search.cut, { count: SEARCH_HITS_MAX })}
        </p>
      )}
      <VirtualRows conversations={conversations} selectedId={selectedId} excerpts={excerpts} />
    </>
  )
}

function NothingFound() {
  const { t } = useTranslation('conversations')
  return (
    <EmptyState
      className="m-4 border-none"
      icon={SearchX}
      title={t(($) => $.search.nothing)}
      description={t(($) => $.search.nothingBody)}
    />
  )
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
