// Everything that a search finds, to export or to change it.

import type { Id } from '#shared/ids.ts'
import { SEARCH_SHOWN_MAX } from '#shared/limits.ts'
import type { ConversationHits } from '#shared/messaging/conversations.ts'

/**
 * Page after page, as many as its list shows. A conversation with a new message meanwhile moves to the top, before a page that was read already: it
 * is read again until it brings nothing new.
 */
export async function findAll(
  search: (cursor: string | null) => Promise<ConversationHits>,
): Promise<Id<'conversations'>[]> {
  const ids = new Set<Id<'conversations'>>()
  const read = async (cursor: string | null) => {
    const { hits, continueCursor } = await search(cursor)
    const before = ids.size
    for (const { conversationId } of hits) ids.add(conversationId)
    return { continueCursor, isNew: ids.size > before }
  }
  let { continueCursor: cursor } = await read(null)
  const isOnePage = cursor === null
  while (cursor !== null && ids.size < SEARCH_SHOWN_MAX) ({ continueCursor: cursor } = await read(cursor))
  while (!isOnePage && ids.size < SEARCH_SHOWN_MAX && (await read(null)).isNew);
  return [...ids].slice(0, SEARCH_SHOWN_MAX)
}
