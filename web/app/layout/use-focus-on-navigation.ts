// After navigation the focus goes to the heading of the new page, so that keyboard and screen reader start there.
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** How long a page may take to show its heading, milliseconds. */
const HEADING_WAIT_MS = 5000

/** The first page of a visit keeps the focus where the browser put it; a person who has moved on is left alone. */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    return focusHeading()
  }, [pathname])
}

function focusHeading(): (() => void) | undefined {
  const content = document.getElementById('content')
  const focusBefore = document.activeElement
  if (!content || tryFocus(content)) return undefined
  const observer = new MutationObserver(() => {
    const hasMovedOn = document.activeElement !== focusBefore && document.activeElement !== document.body
    if (hasMovedOn || tryFocus(content)) observer.disconnect()
  })
  observer.observe(content, { childList: true, subtree: true })
  const timer = setTimeout(() => observer.disconnect(), HEADING_WAIT_MS)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}

function tryFocus(content: HTMLElement): boolean {
  const heading = content.querySelector('h1')
  heading?.focus({ preventScroll: true })
  return heading !== null
}
