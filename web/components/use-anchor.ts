// A part of a page that a link leads to, also while it is still loading.
import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Scrolls to the element with an id once it has loaded, whenever the address names it after the #. */
export function useAnchor(id: string, isLoaded: boolean): void {
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link that is followed again leads there again
  useEffect(() => {
    if (isLoaded && hash === `#${id}`) document.getElementById(id)?.scrollIntoView()
  }, [id, isLoaded, hash, key])
}
