// Whether an element is wide enough for a layout, whatever stands next to it.
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Follows the width of the element. @param pixels smallest width for which the result is true */
export function useIsWiderThan(element: RefObject<HTMLElement | null>, pixels: number): boolean {
  const [isWider, setWider] = useState(false)
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    const measure = () => setWider(target.clientWidth >= pixels)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [element, pixels])
  return isWider
}
