// Keeps the rows that are read where they are while the list changes above them, and leads back to them when the list is left and shown again.
import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { ROW_HEIGHT_PX } from './conversation-row.tsx'
import { keepScroll, type ListScroll, type SeenRow, shiftOf, TOP_SLACK_PX } from './scroll-restoration.ts'

type Rows = Virtualizer<HTMLDivElement, Element>

/** Where a list that was seen before begins: at the rows that were seen, wherever they stand now. A list at its top stays there. */
export function offsetOf(place: ListScroll | undefined, ids: readonly string[]): number {
  if (!place || place.offset < TOP_SLACK_PX) return 0
  return Math.max(0, place.offset + shiftOf(place.seen, ids) * ROW_HEIGHT_PX)
}

/**
 * New rows at the top of the list push nothing away that is read further down. Browsers do not see to this where rows stand at places of
 * their own.
 */
export function useStillRows(rows: Rows, ids: readonly string[], viewport: RefObject<HTMLElement | null>): void {
  const before = useRef(ids)
  useLayoutEffect(() => {
    const [was, offset] = [before.current, rows.scrollOffset ?? 0]
    before.current = ids
    if (was === ids || !viewport.current || offset < TOP_SLACK_PX) return
    const shift = shiftOf(seenRows(was, offset, viewport.current.clientHeight), ids)
    // From where the reader was: the browser may have moved already where the list has become shorter.
    if (shift !== 0) viewport.current.scrollTop = offset + shift * ROW_HEIGHT_PX
  }, [rows, ids, viewport])
}

type Left = { key: string; ids: readonly string[]; firstId: string | null; openedId: string | null }

/** Keeps the place when the list or the page is left. */
export function useKeptPlace(viewport: RefObject<HTMLElement | null>, left: Left): void {
  const latest = useRef(left)
  useLayoutEffect(() => {
    latest.current = left
  })
  useLayoutEffect(() => {
    const element = viewport.current
    if (!element) return
    const keep = () => {
      const { key, ids, firstId, openedId } = latest.current
      const seen = seenRows(ids, element.scrollTop, element.clientHeight)
      const offset = element.scrollTop
      keepScroll(key, { offset, seen, firstId, loaded: ids.length, openedId, isToReveal: false })
    }
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [viewport])
}

/** Once: a conversation that was opened elsewhere may stand where the list does not show it. */
export function useRevealed(rows: Rows, index: number): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    if (index >= 0) rows.scrollToIndex(index)
  }, [rows, index])
}

function seenRows(ids: readonly string[], offset: number, height: number): SeenRow[] {
  const first = Math.floor(offset / ROW_HEIGHT_PX)
  const last = Math.ceil((offset + height) / ROW_HEIGHT_PX)
  return ids.slice(first, last).map((id, at) => ({ id, index: first + at }))
}
