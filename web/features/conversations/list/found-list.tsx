// The results of a search: each opens at the found message, and new matches are added while the list is shown.
import { SearchX, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { describeError } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useInboxFilters } from '../filters/use-inbox-filters.ts'
import { type ConversationListProps, ListSkeleton } from './conversation-list.tsx'
import { useFound } from './use-found.ts'
import { VirtualRows } from './virtual-rows.tsx'

/** Minimum interval between searches in a busy inbox, in ms. */
const SEARCH_AGAIN_MS = 1000

type FoundListProps = Pick<ConversationListProps, 'filter' | 'selectedId' | 'onCount'> & { words: string }

/** Conversations that match the words and the filter, live; searched again when a message arrives. */
export function FoundList({ words, filter, selectedId, onCount }: FoundListProps) {
  const { t } = useTranslation('conversations')
  const { conversations, hits, isCut, error, reload, more, loadMore } = useFound(words, filter)
  useNews(reload)
  const shown = conversations?.length
  useEffect(() => {
    if (shown !== undefined) onCount(shown)
  }, [shown, onCount])
  // All results so far have left the filter, for example because they were archived: the next page may have more.
  const isGone = shown === 0 && more === 'ready'
  const goOn = useRef(loadMore)
  useEffect(() => {
    goOn.current = loadMore
  })
  useEffect(() => {
    if (isGone) goOn.current()
  }, [isGone])
  if (error && !hits) return <SearchFailed error={error} onRetry={reload} />
  if (!conversations || (shown === 0 && (more === 'ready' || more === 'loading'))) {
    return (
      <Delayed>
        <ListSkeleton />
      </Delayed>
    )
  }
  if (conversations.length === 0 && more === null) return <NothingFound />
  return (
    <>
      {isCut && (
        <div className="flex flex-wrap items-center gap-x-3 border-border border-b px-4 py-2 text-muted-foreground text-xs">
          <p>{t(($) => $.search.cut, { number: formatNumber(conversations.length) })}</p>
          {more === 'failed' && (
            <Button variant="link" size="sm" onClick={loadMore}>
              {t(($) => $.search.more)}
            </Button>
          )}
        </div>
      )}
      <VirtualRows
        conversations={conversations}
        selectedId={selectedId}
        canLoadMore={more === 'ready'}
        onLoadMore={loadMore}
        filter={filter}
        words={words}
        {...(hits && { hits })}
      />
    </>
  )
}

/** Calls `onNews` when a message has arrived in the inbox, at most once per second. */
function useNews(onNews: () => void): void {
  const newest = useQuery(api.conversations.list, { paginationOpts: { numItems: 1, cursor: null } })
  const lastMessage = newest && JSON.stringify(newest.page[0]?.lastMessage ?? null)
  const known = useRef(lastMessage)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onNews)
  useEffect(() => {
    latest.current = onNews
  })
  useEffect(() => {
    const isNew = known.current !== undefined && lastMessage !== undefined && known.current !== lastMessage
    if (lastMessage !== undefined) known.current = lastMessage
    if (!isNew || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, SEARCH_AGAIN_MS)
  }, [lastMessage])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}

function SearchFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('conversations')
  return (
    <div role="alert">
      <EmptyState
        className="m-4 border-none"
        icon={TriangleAlert}
        title={t(($) => $.search.failed)}
        description={describeError(error).message}
        action={<Button onClick={onRetry}>{t(($) => $.search.retry)}</Button>}
      />
    </div>
  )
}

function NothingFound() {
  const { t } = useTranslation('conversations')
  const [, setQuery] = useInboxFilters()
  return (
    <EmptyState
      className="m-4 border-none"
      icon={SearchX}
      title={t(($) => $.search.nothing)}
      description={t(($) => $.search.nothingBody)}
      action={<Button onClick={() => void setQuery({ q: null })}>{t(($) => $.search.clear)}</Button>}
    />
  )
}
