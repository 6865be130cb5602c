// Presence in a conversation and those merged with it: announces what this user does, and drops colleagues who stop announcing.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Id } from '#shared/ids.ts'
import { PRESENCE_LOOKING_MS, PRESENCE_TYPING_MS } from '#shared/limits.ts'
import type { Presence } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'

const BEAT_MS = PRESENCE_LOOKING_MS / 2
/** Minimum interval between announcements of typing. */
const TYPING_EVERY_MS = PRESENCE_TYPING_MS / 2
const TICK_MS = 1000

export type Colleagues = {
  typing: string[]
  looking: string[]
  /** Call on every key press. */
  onTyping: () => void
}

/** Ends on unmount; a hidden page announces nothing. */
export function useColleagues(conversationId: Id<'conversations'>): Colleagues {
  const onTyping = useAnnouncing(conversationId)
  const me = useCurrentUser()._id
  const there: Presence[] | undefined = useQuery(api.conversations.presence.list, { conversationId })
  const fresh = useFresh(there?.filter(({ user }) => user._id !== me) ?? NOBODY)
  const typing = namesIn(fresh, 'typing')
  const looking = namesIn(fresh, 'looking').filter((name) => !typing.includes(name))
  return { typing, looking, onTyping }
}

const NOBODY: Presence[] = []

/** A colleague in several merged conversations is listed once. */
function namesIn(there: Presence[], state: Presence['state']): string[] {
  const people = new Map(there.flatMap((each) => (each.state === state ? [[each.user._id, each.user.name]] : [])))
  return [...people.values()]
}

/** @returns a function that announces a key press */
function useAnnouncing(conversationId: Id<'conversations'>): () => void {
  const announce = useMutation(api.conversations.presence.announce, { hasToast: false })
  const typedAt = useRef(0)
  const say = useCallback(
    (state: 'looking' | 'typing' | 'gone') => {
      announce({ conversationId, state }).catch(() => undefined) // repeated by the next heartbeat
    },
    [announce, conversationId],
  )
  useEffect(() => {
    const beat = () => {
      const isTyping = Date.now() - typedAt.current < TYPING_EVERY_MS
      if (document.visibilityState === 'visible' && !isTyping) say('looking')
    }
    const change = () => (document.visibilityState === 'visible' ? beat() : say('gone'))
    beat()
    const timer = setInterval(beat, BEAT_MS)
    document.addEventListener('visibilitychange', change)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', change)
      say('gone')
    }
  }, [say])
  return useCallback(() => {
    const now = Date.now()
    if (now - typedAt.current < TYPING_EVERY_MS) return
    typedAt.current = now
    say('typing')
  }, [say])
}

/** Ages by this browser's clock, from the first receipt: clocks of two machines differ. */
function useFresh(there: Presence[]): Presence[] {
  const [now, setNow] = useState(Date.now)
  const heard = useRef(new Map<string, number>())
  const isAnybody = there.length > 0
  useEffect(() => {
    if (!isAnybody) return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isAnybody])
  return there.flatMap((each): Presence[] => {
    const key = `${each.user._id} ${each.state} ${each.at}`
    const since = heard.current.get(key) ?? Date.now()
    heard.current.set(key, since)
    const ageMs = now - since
    if (ageMs > PRESENCE_LOOKING_MS) return []
    return [ageMs > PRESENCE_TYPING_MS ? { ...each, state: 'looking' } : each]
  })
}
