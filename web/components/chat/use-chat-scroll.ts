// Where a message log is scrolled to: it follows the newest message only while the reader is at the bottom,
// and stays on what is being read when older messages are put in front.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Distance from the end within which the reader counts as being at the bottom, CSS pixels. */
const BOTTOM_SLACK_PX = 48
/** Distance from the beginning at which older messages are asked for, CSS pixels. */
const TOP_SLACK_PX = 240

type ChatScroll = {
  /** The element that scrolls. */
  viewportRef: RefObject<HTMLDivElement | null>
  /** The element inside it that grows. */
  contentRef: RefObject<HTMLDivElement | null>
  onScroll: () => void
  isAtBottom: boolean
  jumpToLatest: () => void
}

/**
 * Scrolling of a message log, oldest first.
 *
 * @param firstKey key of the oldest message shown; when it changes, older messages were put in front
 * @param onNearTop called when the reader comes close to the oldest message
 */
export function useChatScroll(firstKey: string | undefined, onNearTop?: () => void): ChatScroll {
  const viewportRef = useRef<HTMLDivElement>(null)
  const contentRef = useRef<HTMLDivElement>(null)
  const [isAtBottom, setIsAtBottom] = useState(true)
  const atBottom = useRef(true)
  const before = useRef({ firstKey, height: 0 })

  const jumpToLatest = useCallback(() => {
    const viewport = viewportRef.current
    if (viewport) viewport.scrollTop = viewport.scrollHeight
    atBottom.current = true
    setIsAtBottom(true)
  }, [])

  const onScroll = useCallback(() => {
    const viewport = viewportRef.current
    if (!viewport) return
    atBottom.current = isNearBottom(viewport)
    setIsAtBottom(atBottom.current)
    if (viewport.scrollTop < TOP_SLACK_PX) onNearTop?.()
  }, [onNearTop])

  useLayoutEffect(() => {
    const viewport = viewportRef.current
    if (!viewport) return
    const grewBy = viewport.scrollHeight - before.current.height
    const isOlderInFront = before.current.firstKey !== undefined && before.current.firstKey !== firstKey
    if (atBottom.current) viewport.scrollTop = viewport.scrollHeight
    else if (isOlderInFront) viewport.scrollTop += grewBy
    before.current = { firstKey, height: viewport.scrollHeight }
  })

  // Pictures, fonts and lazily drawn text change the height without a render of the log.
  useLayoutEffect(() => {
    const content = contentRef.current
    if (!content) return
    const observer = new ResizeObserver(() => {
      const viewport = viewportRef.current
      if (!viewport) return
      if (atBottom.current) viewport.scrollTop = viewport.scrollHeight
      before.current.height = viewport.scrollHeight
    })
    observer.observe(content)
    return () => observer.disconnect()
  }, [])

  return { viewportRef, contentRef, onScroll, isAtBottom, jumpToLatest }
}

function isNearBottom(viewport: HTMLElement): boolean {
  return viewport.scrollHeight - viewport.scrollTop - viewport.clientHeight <= BOTTOM_SLACK_PX
}
