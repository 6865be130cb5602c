// Lets the customer see that an operator is typing, where the channel shows it.
import { useCallback, useRef } from 'react'
import { TYPING_TOLD_EVERY_MS } from '#shared/limits.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { useMutation } from '#web/lib/server/convex.ts'

/** @returns what is to be called on every change of the draft; it tells now and then */
export function useTellTyping({ _id, channel }: Pick<Conversation, '_id' | 'channel'>): (draft: string) => void {
  const typing = useMutation(api.conversations.typing, { hasToast: false })
  const toldAt = useRef(0)
  return useCallback(
    (draft) => {
      if (channel !== 'webchat' || draft === '' || Date.now() - toldAt.current < TYPING_TOLD_EVERY_MS) return
      toldAt.current = Date.now()
      typing({ conversationId: _id }).catch(() => undefined) // a nicety: nobody misses it
    },
    [_id, channel, typing],
  )
}
