// Shows the customer that an operator is typing, on channels that support it.
import { useCallback, useRef } from 'react'
import { TYPING_REPORT_EVERY_MS } from '#shared/limits.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { useMutation } from '#web/lib/server/convex.ts'

/** @returns a function to call on every change of the draft; throttled */
export function useTellTyping({ _id, channel }: Pick<Conversation, '_id' | 'channel'>): (draft: string) => void {
  const typing = useMutation(api.conversations.typing, { hasToast: false })
  const sentAt = useRef(0)
  return useCallback(
    (draft) => {
      if (channel !== 'webchat' || draft === '' || Date.now() - sentAt.current < TYPING_REPORT_EVERY_MS) return
      sentAt.current = Date.now()
      typing({ conversationId: _id }).catch(() => undefined) // best effort
    },
    [_id, channel, typing],
  )
}
