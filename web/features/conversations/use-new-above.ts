// How many conversations moved to the top of the list while the reader was further down.
import { type RefObject, useEffect, useState } from 'react'
import type { Conversation } from '#shared/conversations.ts'

/** Scrolled less than this counts as being at the top, CSS pixels. */
const TOP_SLACK_PX = 24

/** 0 at the top; otherwise the conversations that stand before the one that was first when the top was left. */
export function useNewAbove(conversations: Conversation[], viewport: RefObject<HTMLElement | null>): number {
  const [isAtTop, setAtTop] = useState(true)
  const firstId = conversations[0]?._id
  const [knownFirst, setKnownFirst] = useState(firstId)
  if (isAtTop && knownFirst !== firstId) setKnownFirst(firstId)
  useEffect(() => {
    const element = viewport.current
    if (!element) return
    const look = () => setAtTop(element.scrollTop < TOP_SLACK_PX)
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [viewport])
  if (isAtTop) return 0
  return Math.max(
    0,
    conversations.findIndex((conversation) => conversation._id === knownFirst),
  )
}
