// The conversation that a page shows: of several that are shown as one, the one in which the customer has written last.

import type { Id } from '#shared/ids.ts'
import type { OpenConversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Undefined while it is loaded. Answers go out by it, whichever of them was opened. */
export function useConversation(conversationId: Id<'conversations'>): OpenConversation | undefined {
  const opened: OpenConversation | undefined = useQuery(api.conversations.get, { conversationId })
  const lastId = opened?.thread?.parts[0]?._id ?? conversationId
  const isOther = lastId !== conversationId
  const last: OpenConversation | undefined = useQuery(
    api.conversations.get,
    isOther ? { conversationId: lastId } : 'skip',
  )
  return isOther ? last : opened
}
