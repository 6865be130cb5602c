// Tells the server that an operator has seen a conversation.
import { useEffect } from 'react'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'

/** Marks it, with what is shown as one with it, as read while it is open in a tab that can be seen. */
export function useMarkRead(conversation: Conversation | undefined): void {
  const markRead = useMutation(api.conversations.markRead, { hasToast: false })
  const conversationId = conversation?._id
  const unread = [conversation, ...(conversation?.thread?.parts ?? [])].map((each) => each?.unreadCount ?? 0)
  const mayRead = useMay('inbox.write')
  const hasUnread = mayRead && unread.some((count) => count > 0)
  useEffect(() => {
    if (!conversationId || !hasUnread) return
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      markRead({ conversationId }).catch(() => undefined) // the count stays, and the next message tries again
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [conversationId, hasUnread, markRead])
}
