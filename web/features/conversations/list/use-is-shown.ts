// Whether a component is still on the screen when something it has waited for comes.
import { type RefObject, useEffect, useRef } from 'react'

/** Turns false when the component goes. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
