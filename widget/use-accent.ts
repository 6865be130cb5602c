// The widget's colour, and a colour of text that can be read on it.
import { useEffect } from 'react'
import { textOn } from '#shared/contrast.ts'

/** Sets both for the whole page. @param color `#rrggbb` */
export function useAccent(color: string | undefined): void {
  useEffect(() => {
    if (!color) return
    const { style } = document.documentElement
    style.setProperty('--accent', color)
    style.setProperty('--on-accent', textOn(color))
  }, [color])
}
