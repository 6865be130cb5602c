// Whether a second pane fits beside the first.
import { useSyncExternalStore } from 'react'

/** The large breakpoint of the design. */
const WIDE = '(min-width: 1024px)'

/** Follows the window. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches)
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
