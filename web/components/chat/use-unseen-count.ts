// How many messages came in while the reader was further up.
import { useState } from 'react'
import type { Message } from '#shared/messaging/conversations.ts'

/** Messages after the last one that was on screen at the bottom; 0 while the reader is there. */
export function useUnseenCount(messages: Message[], isAtBottom: boolean): number {
  const lastId = messages.at(-1)?._id
  const [seenId, setSeenId] = useState(lastId)
  if (isAtBottom && seenId !== lastId) setSeenId(lastId)
  if (isAtBottom || seenId === lastId) return 0
  const seenAt = messages.findIndex((message) => message._id === seenId)
  return seenAt < 0 ? 0 : messages.length - 1 - seenAt
}
