// Where a message log is scrolled to: it follows the newest message only while the reader is at the bottom,
// and stays on what is being read when older messages are put in front.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Distance from the end within which the reader counts as being at the bottom, CSS pixels. */
const BOTTOM_SLACK_PX = 48
/** Distance from the beginning at which older messages are asked for, CSS pixels. */
const TOP_SLACK_PX = 240
/** Distance from the end at which newer messages are asked for, CSS pixels. */
const MORE_BELOW_PX = 240

type ChatScroll = {
  /** The element that scrolls. */
  viewportRef: RefObject<HTMLDivElement | null>
  /** The element inside it that grows. */
  contentRef: RefObject<HTMLDivElement | null>
  onScroll: () => void
  isAtBottom: boolean
  jumpToLatest: () => void
}

type ChatScrollOptions = {
  /** Called when the reader comes close to the oldest message. */
  onNearTop?: (() => void) | undefined
  /** Present while messages are left below: called when the reader comes close to the last that is shown, which is not the end. */
  onNearBottom?: (() => void) | undefined
  /** Id of the element that is in the middle at first; null: the end is shown. */
  opensAt?: string | null
}

/**
 * Scrolling of a message log, oldest first.
 *
 * @param firstKey key of the oldest message shown; when it changes, older messages were put in front
 */
export function useChatScroll(
  firstKey: string | undefined,
  { onNearTop, onNearBottom, opensAt = null }: ChatScrollOptions = {},
): ChatScroll {
  const viewportRef = useRef<HTMLDivElement>(null)
  const contentRef = useRef<HTMLDivElement>(null)
  const [isAtBottom, setIsAtBottom] = useState(opensAt === null)
  const atBottom = useRef(opensAt === null)
  const toOpenAt = useRef(opensAt)
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
    atBottom.current = !onNearBottom && isNearBottom(viewport, BOTTOM_SLACK_PX)
    setIsAtBottom(atBottom.current)
    if (viewport.scrollTop < TOP_SLACK_PX) onNearTop?.()
    if (isNearBottom(viewport, MORE_BELOW_PX)) onNearBottom?.()
  }, [onNearTop, onNearBottom])

  useLayoutEffect(() => {
    const viewport = viewportRef.current
    if (!viewport) return
    const grewBy = viewport.scrollHeight - before.current.height
    const isOlderInFront = before.current.firstKey !== undefined && before.current.firstKey !== firstKey
    const opening = toOpenAt.current === null ? null : document.getElementById(toOpenAt.current)
    if (opening) {
      opening.scrollIntoView({ block: 'center' })
      toOpenAt.current = null
    } else if (atBottom.current) viewport.scrollTop = viewport.scrollHeight
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

function isNearBottom(viewport: HTMLElement, slackPx: number): boolean {
  return viewport.scrollHeight - viewport.scrollTop - viewport.clientHeight <= slackPx
}
