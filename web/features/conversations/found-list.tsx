// The conversations that a search has found: each opens at the message that was found, and new ones come in while it is shown.
import { SearchX, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Conversation, ConversationFilter, ConversationHits } from '#shared/conversations.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { useAction, useQuery } from '#web/lib/convex.ts'
import { describeError } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFetched } from '#web/lib/query-client.ts'
import { type ConversationListProps, ListSkeleton } from './conversation-list.tsx'
import { useInboxFilters } from './use-inbox-filters.ts'
import { VirtualRows } from './virtual-rows.tsx'

/** A busy inbox is not searched anew for each message, milliseconds. */
const SEARCH_AGAIN_MS = 1000

type FoundListProps = Pick<ConversationListProps, 'filter' | 'selectedId' | 'onCount'> & { words: string }

/** The conversations with these words that pass the filter, live; they are searched for anew when something is said. */
export function FoundList({ words, filter, selectedId, onCount }: FoundListProps) {
  const { t } = useTranslation('conversations')
  const search = useAction(api.conversations.search)
  const answer = useFetched(['conversations', 'search', words, JSON.stringify(filter)], () =>
    search({ query: words, ...filter }),
  )
  useNews(answer.reload)
  const found: ConversationHits | undefined = answer.value
  const conversations = useFound(found, filter, words)
  const hits = useMemo(() => new Map(found?.hits.map((hit) => [hit.conversationId, hit])), [found])
  const shown = conversations?.length
  useEffect(() => {
    if (shown !== undefined) onCount(shown)
  }, [shown, onCount])
  if (answer.error && !found) return <SearchFailed error={answer.error} onRetry={answer.reload} />
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
      {found?.isCut && (
        <p className="border-border border-b px-4 py-2 text-muted-foreground text-xs">
          {t(($) => $.search.cut, { number: formatNumber(conversations.length) })}
        </p>
      )}
      <VirtualRows conversations={conversations} selectedId={selectedId} hits={hits} />
    </>
  )
}

/** Those that were shown stay, with what is chosen of them, until it is known what a new search of the same has found. */
function useFound(
  found: ConversationHits | undefined,
  filter: ConversationFilter,
  words: string,
): Conversation[] | undefined {
  const now: Conversation[] | undefined = useQuery(
    api.conversations.found,
    found ? { ...filter, conversationIds: found.hits.map((hit) => hit.conversationId) } : 'skip',
  )
  const asked = `${words} ${JSON.stringify(filter)}`
  const [kept, setKept] = useState({ asked, conversations: now })
  if (now && (kept.asked !== asked || kept.conversations !== now)) setKept({ asked, conversations: now })
  return now ?? (kept.asked === asked ? kept.conversations : undefined)
}

/** Calls when something was said in the inbox since the last look, and not more often than every second. */
function useNews(onNews: () => void): void {
  const newest = useQuery(api.conversations.list, { paginationOpts: { numItems: 1, cursor: null } })
  const said = newest && JSON.stringify(newest.page[0]?.lastMessage ?? null)
  const known = useRef(said)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onNews)
  useEffect(() => {
    latest.current = onNews
  })
  useEffect(() => {
    const isNew = known.current !== undefined && said !== undefined && known.current !== said
    if (said !== undefined) known.current = said
    if (!isNew || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, SEARCH_AGAIN_MS)
  }, [said])
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
