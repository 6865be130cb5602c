// What a search in the inbox has found, page after page.
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
  /** Those that still pass the filter; undefined while they are not known. */
  conversations: Conversation[] | undefined
  /** By conversation; undefined while nothing was answered. */
  hits: ReadonlyMap<string, ConversationHit> | undefined
  /** There are more than are given, or there may be. */
  isCut: boolean
  error: Error | null
  reload(): void
  /** Those behind: they can be asked for; are being asked for; could not be had; null: there is nothing behind, or no more is shown. */
  more: 'ready' | 'loading' | 'failed' | null
  loadMore(): void
}

/** The conversations with these words that pass the filter. All who show the same search share one answer; the conversations are live. */
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
    const settle = (after: Partial<Pages>) => setPages((now) => (now.asked === asked ? { ...now, ...after } : now)) // something else is asked for by now
    setPages({ ...own, state: 'loading' })
    search({ query: words, ...filter, cursor }).then(
      (page: ConversationHits) => settle({ shown: together(shown, page), state: 'ready' }),
      () => settle({ state: 'failed' }), // the toast has told why
    )
  }
  const isCut = shown !== undefined && (shown.isPartial || shown.continueCursor !== null)
  return { conversations, hits, isCut, error, reload, more: cursor ? own.state : null, loadMore }
}

/** `shown`: all that was shown when the last further page had come; null: none has. */
type Pages = { asked: string; shown: ConversationHits | null; state: 'ready' | 'loading' | 'failed' }

/** What stood there goes on standing there: what comes in above may have pushed it out of the page in which it was found. */
function together(first: ConversationHits, rest: ConversationHits | null): ConversationHits {
  if (rest === null) return first
  const known = new Set(first.hits.map(({ conversationId }) => conversationId))
  const hits = [...first.hits, ...rest.hits.filter(({ conversationId }) => !known.has(conversationId))]
  return { ...rest, hits: hits.slice(0, SEARCH_SHOWN_MAX), isPartial: first.isPartial || rest.isPartial }
}

/**
 * Those that were shown stay, with what is chosen of them, until it is known what a new search of the same has found. None were shown:
 * that says nothing of what was found since.
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
