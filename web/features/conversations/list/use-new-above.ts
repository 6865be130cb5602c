// How many conversations moved to the top of the list while the reader was further down.
import { type RefObject, useEffect, useState } from 'react'
import { TOP_SLACK_PX } from './scroll-restoration.ts'

type NewAbove = {
  /** 0 at the top; otherwise the conversations that stand before the one that was first when the top was left. */
  count: number
  /** That one. */
  firstId: string | null
}

/** `leftAt`: which one was first when the list was left further down, to which it now leads back. */
export function useNewAbove(
  ids: readonly string[],
  viewport: RefObject<HTMLElement | null>,
  leftAt: string | null,
): NewAbove {
  const [isAtTop, setAtTop] = useState(leftAt === null)
  const first = ids[0] ?? null
  const [firstId, setFirstId] = useState(leftAt ?? first)
  if (isAtTop && firstId !== first) setFirstId(first)
  useEffect(() => {
    const element = viewport.current
    if (!element) return
    const look = () => setAtTop(element.scrollTop < TOP_SLACK_PX)
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [viewport])
  return { count: isAtTop ? 0 : Math.max(0, ids.indexOf(firstId ?? '')), firstId }
}
