// How many conversations of the inbox are unread, live.
import type { UnreadCount } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { formatNumber } from './format.ts'
import { useQuery } from './server/convex.ts'

/** `text`: as it is shown, such as `7` or `99+`. Null when none is unread, and while it is not known. Everybody who asks shares one query. */
export function useUnread(): (UnreadCount & { text: string }) | null {
  const unread: UnreadCount | undefined = useQuery(api.conversations.unread, {})
  if (!unread || unread.count === 0) return null
  return { ...unread, text: `${formatNumber(unread.count)}${unread.isMore ? '+' : ''}` }
}
