// Returns the focus to where it was when a modal opened. Radix does so only for modals that have a trigger of their own.
import { useRef } from 'react'

/** Spread the result on the content of a modal. */
export function useReturnFocus() {
  const before = useRef<Element | null>(null)
  return {
    // Called before the modal takes the focus.
    onOpenAutoFocus: () => {
      before.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      const now = document.activeElement
      if (!(before.current instanceof HTMLElement) || !before.current.isConnected) return
      event.preventDefault()
      // Runs after the modal has faded out: a field that has taken the focus by then keeps it.
      if (now === null || now.contains(before.current)) before.current.focus()
    },
  }
}
