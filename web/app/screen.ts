// A screen of the router: its code and its texts, loaded when it is first shown.
import type { ComponentType } from 'react'
import { loadTexts, type TextNamespace } from '#web/lib/i18n.ts'

/** Loads the code of a screen and its texts side by side. */
export function screen(load: () => Promise<ComponentType>, ...texts: TextNamespace[]) {
  return async () => {
    const [Component] = await Promise.all([load(), loadTexts(...texts)])
    return { Component }
  }
}
