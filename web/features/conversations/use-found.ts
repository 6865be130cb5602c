// What a search in the inbox has found.
import { useMemo, useState } from 'react'
import type { Conversation, ConversationFilter, ConversationHit, ConversationHits } from '#shared/conversations.ts'
import { api } from '#web/api.ts'
import { useAction, useQuery } from '#web/lib/convex.ts'
import { useFetched } from '#web/lib/query-client.ts'

type Found = {
  /** Those that still pass the filter, the best first; undefined while they are not known. */
  conversations: Conversation[] | undefined
  /** By conversation; undefined while nothing was answered. */
  hits: ReadonlyMap<string, ConversationHit> | undefined
  /** There are more than are given. */
  isCut: boolean
  error: Error | null
  reload(): void
}

/** The conversations with these words that pass the filter. All who show the same search share one answer; the conversations are live. */
export function useFound(words: string, filter: ConversationFilter): Found {
  const search = useAction(api.conversations.search)
  const { value, error, reload } = useFetched<ConversationHits>(
    ['conversations', 'search', words, JSON.stringify(filter)],
    () => search({ query: words, ...filter }),
  )
  const conversations = useLive(value, filter, words)
  const hits = useMemo(() => value && new Map(value.hits.map((hit) => [hit.conversationId, hit])), [value])
  return { conversations, hits, isCut: value?.isCut ?? false, error, reload }
}

/** Those that were shown stay, with what is chosen of them, until it is known what a new search of the same has found. */
function useLive(
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
