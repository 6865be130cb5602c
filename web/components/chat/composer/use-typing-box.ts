// Makes a text box the one that takes what is typed while no field has the focus.
import { type RefObject, useEffect, useRef } from 'react'
import { useIsCurrent } from '#web/lib/action-scope.tsx'
import { offerBox } from '#web/lib/typing-burst.ts'

/**
 * @param id what is written to; undefined for a box that takes only what is typed in it
 * @param onText puts text behind what stands in the box
 */
export function useTypingBox(
  id: string | undefined,
  box: RefObject<HTMLTextAreaElement | null>,
  onText: (text: string) => void,
): void {
  const isCurrent = useIsCurrent()
  const latest = useRef(onText)
  useEffect(() => {
    latest.current = onText
  })
  useEffect(() => {
    if (id === undefined) return
    return offerBox({
      id,
      isCurrent,
      hasFocus: () => box.current !== null && box.current === document.activeElement,
      receive(text) {
        focusAtEnd(box.current)
        if (text !== '') latest.current(text)
      },
    })
  }, [id, isCurrent, box])
}

/** Keeps a place for the box of a conversation that is being loaded: what is typed until it is there goes into it. */
export function useComingBox(isComing: boolean): void {
  useEffect(() => {
    if (!isComing) return
    return offerBox({ id: '', isCurrent: () => false, hasFocus: () => false, receive: () => undefined })
  }, [isComing])
}

/** Puts the cursor behind what stands in the box. */
export function focusAtEnd(box: HTMLTextAreaElement | null): void {
  box?.focus()
  box?.setSelectionRange(box.value.length, box.value.length)
}
