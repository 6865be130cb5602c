// Whether a second pane fits next to the first.
import { useSyncExternalStore } from 'react'

/** The large breakpoint of the design. */
const WIDE = '(min-width: 1024px)'

/** Updates when the window is resized. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches)
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
