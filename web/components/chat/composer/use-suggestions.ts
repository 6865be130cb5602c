// What a box offers while something is typed that begins a name: which offers there are, which is chosen, and putting it in.
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'

export type Suggestion = {
  key: string
  label: string
  detail?: string
  /** Takes the place of what was typed. */
  text: string
}
/** For the text before the caret: what is offered, and from where on it takes the place of what was typed; null: nothing. */
export type Suggest = (before: string) => { label: string; from: number; items: Suggestion[] } | null

export type Suggestions = {
  /** Id of the list; options are `<id>-<index>`. */
  id: string
  label: string
  items: Suggestion[]
  chosen: number
  choose: (index: number) => void
  pick: (item: Suggestion) => void
}

type Box = {
  box: RefObject<HTMLTextAreaElement | null>
  draft: string
  onDraftChange: (text: string) => void
  suggest: Suggest | undefined
}

/**
 * Arrows choose, Enter and Tab put the chosen one in, Escape closes until something else is typed.
 *
 * @returns shown: null while nothing is offered; onKeyDown answers true for a key that it has used
 */
export function useSuggestions({ box, draft, onDraftChange, suggest }: Box) {
  const id = useId()
  const [caret, setCaret] = useState(0)
  const [chosen, setChosen] = useState(0)
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const wanted = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null || draft.length < wanted.current) return
    box.current?.setSelectionRange(wanted.current, wanted.current)
    wanted.current = null
  }, [box, draft])

  const before = draft.slice(0, caret)
  const found = closedAt === before ? null : (suggest?.(before) ?? null)
  const items = found?.items ?? []
  const index = Math.min(chosen, items.length - 1)

  function pick(item: Suggestion) {
    if (!found) return
    wanted.current = found.from + item.text.length
    setCaret(wanted.current)
    setChosen(0)
    setClosedAt(draft.slice(0, found.from) + item.text)
    onDraftChange(draft.slice(0, found.from) + item.text + draft.slice(caret))
    box.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent): boolean {
    const item = items[index]
    if (!item || event.nativeEvent.isComposing) return false
    if (event.key === 'ArrowDown') setChosen((index + 1) % items.length)
    else if (event.key === 'ArrowUp') setChosen((index + items.length - 1) % items.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) pick(item)
    else if (event.key === 'Escape') setClosedAt(before)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  /** Offers as if the sign had been typed, for keyboards that do not have it. */
  function begin(sign: string) {
    const [from, to] = [box.current?.selectionStart ?? draft.length, box.current?.selectionEnd ?? draft.length]
    const head = draft.slice(0, from)
    const begun = new RegExp(`(^|\\s)${sign}$`, 'u').test(head)
      ? head
      : head + (/(^|\s)$/u.test(head) ? '' : ' ') + sign
    wanted.current = begun.length
    setCaret(begun.length)
    setChosen(0)
    setClosedAt(null)
    onDraftChange(begun + draft.slice(to))
    box.current?.focus()
  }
  const shown: Suggestions | null =
    found && items.length > 0 ? { id, label: found.label, items, chosen: index, choose: setChosen, pick } : null
  return { shown, onKeyDown, begin, onCaret: (at: number) => setCaret(at) }
}
