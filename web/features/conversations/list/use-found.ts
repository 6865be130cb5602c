// The results of a search in the inbox, page by page.
import { useMemo, useState } from 'react'
import { SEARCH_SHOWN_MAX } from '#shared/limits.ts'
import type {
  Conversation,
  ConversationFilter,
  ConversationHit,
  ConversationHits,
} from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { useAction, useQuery } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'

type Found = {
  /** Those that still match the filter; undefined while loading. */
  conversations: Conversation[] | undefined
  /** By conversation; undefined before the first response. */
  hits: ReadonlyMap<string, ConversationHit> | undefined
  /** There are, or may be, more than listed. */
  isCut: boolean
  error: Error | null
  reload(): void
  /** The next page: can be loaded, is loading, or failed to load; null when there is none, or the limit is reached. */
  more: 'ready' | 'loading' | 'failed' | null
  loadMore(): void
}

/** Conversations that match the words and the filter. All users of the same search share one response; the conversations are live. */
export function useFound(words: string, filter: ConversationFilter): Found {
  const asked = `${words} ${JSON.stringify(filter)}`
  const search = useAction(api.conversations.search)
  const { value, error, reload } = useFetched<ConversationHits>(
    ['conversations', 'search', words, JSON.stringify(filter)],
    () => search({ query: words, ...filter }),
  )
  const [pages, setPages] = useState<Pages>({ asked, shown: null, state: 'ready' })
  const own: Pages = pages.asked === asked ? pages : { asked, shown: null, state: 'ready' }
  const shown = useMemo(() => value && together(value, own.shown), [value, own.shown])
  const conversations = useLive(shown?.hits, filter, asked)
  const hits = useMemo(() => shown && new Map(shown.hits.map((hit) => [hit.conversationId, hit])), [shown])
  const cursor = shown && shown.hits.length < SEARCH_SHOWN_MAX ? shown.continueCursor : null
  const loadMore = () => {
    if (!shown || !cursor || own.state === 'loading') return
    const settle = (after: Partial<Pages>) => setPages((now) => (now.asked === asked ? { ...now, ...after } : now)) // stale after a new search
    setPages({ ...own, state: 'loading' })
    search({ query: words, ...filter, cursor }).then(
      (page: ConversationHits) => settle({ shown: together(shown, page), state: 'ready' }),
      () => settle({ state: 'failed' }), // reported in a toast
    )
  }
  const isCut = shown !== undefined && (shown.isPartial || shown.continueCursor !== null)
  return { conversations, hits, isCut, error, reload, more: cursor ? own.state : null, loadMore }
}

/** `shown`: everything listed when the last further page arrived; null before the first. */
type Pages = { asked: string; shown: ConversationHits | null; state: 'ready' | 'loading' | 'failed' }

/** Keeps what was listed: new results may have pushed it out of its page. */
function together(first: ConversationHits, rest: ConversationHits | null): ConversationHits {
  if (rest === null) return first
  const known = new Set(first.hits.map(({ conversationId }) => conversationId))
  const hits = [...first.hits, ...rest.hits.filter(({ conversationId }) => !known.has(conversationId))]
  return { ...rest, hits: hits.slice(0, SEARCH_SHOWN_MAX), isPartial: first.isPartial || rest.isPartial }
}

/**
 * Keeps the listed conversations, and their selection, until a repeated search of the same words has its results. An empty list is not
 * kept: it tells nothing about what may have been found since.
 */
function useLive(
  hits: ConversationHit[] | undefined,
  filter: ConversationFilter,
  asked: string,
): Conversation[] | undefined {
  const now: Conversation[] | undefined = useQuery(
    api.conversations.found,
    hits ? { ...filter, conversationIds: hits.map((hit) => hit.conversationId) } : 'skip',
  )
  const [kept, setKept] = useState({ asked, conversations: now })
  if (now && (kept.asked !== asked || kept.conversations !== now)) setKept({ asked, conversations: now })
  return now ?? (kept.asked === asked && kept.conversations?.length ? kept.conversations : undefined)
}
