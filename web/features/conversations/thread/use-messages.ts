// The messages of a conversation as far as they are loaded: from the newest on, or on both sides of one of them.
import { useCallback, useMemo } from 'react'
import type { Id } from '#shared/ids.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { usePaginatedQuery } from '#web/lib/server/convex.ts'

const PAGE_SIZE = 40

/** `target`: the message around which it begins. */
export function useMessages(conversationId: Conversation['_id'], target: string | null) {
  const messageId = target as Id<'messages'> | null
  const older = usePaginatedQuery(
    api.conversations.messages,
    { conversationId, ...(messageId && { around: { messageId, side: 'upTo' } }) },
    { initialNumItems: PAGE_SIZE },
  )
  const newer = usePaginatedQuery(
    api.conversations.messages,
    messageId ? { conversationId, around: { messageId, side: 'after' } } : 'skip',
    { initialNumItems: PAGE_SIZE },
  )
  const messages = useMemo<Message[]>(
    () => [...[...older.results].reverse(), ...newer.results],
    [older.results, newer.results],
  )
  const loadOlder = useCallback(() => {
    if (older.status === 'CanLoadMore') older.loadMore(PAGE_SIZE)
  }, [older])
  const loadNewer = useCallback(() => {
    if (newer.status === 'CanLoadMore') newer.loadMore(PAGE_SIZE)
  }, [newer])
  const isWithNewest = messageId === null || newer.status === 'Exhausted'
  return {
    /** Oldest first. */
    messages,
    isLoading: older.status === 'LoadingFirstPage' || (messageId !== null && newer.status === 'LoadingFirstPage'),
    /** Of what is older. */
    status: older.status,
    isWithNewest,
    loadOlder,
    loadNewer,
  }
}
