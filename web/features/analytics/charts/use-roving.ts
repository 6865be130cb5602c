// One stop of the keyboard for many links: arrows move between them, and one of them is shown.
import { type KeyboardEvent, useRef, useState } from 'react'

/** Steps of the arrow keys among items in rows of `columns`. */
function stepOf(key: string, columns: number): number | undefined {
  return { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key]
}

/**
 * `container` holds the items, each with `data-item`; `stop` is the one that the Tab key reaches, `shown` the one under focus or pointer.
 * Home and End lead to the first and the last, Escape hides what is shown.
 *
 * @param columns how many stand in a row; with one row the up and down arrows do nothing
 */
export function useRoving(count: number, columns = count) {
  const container = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(count - 1)
  const [shown, setShown] = useState<number | null>(null)
  const stop = Math.min(focused, count - 1)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') return setShown(null)
    const to = targetOf(event.key)
    if (to === undefined || to < 0 || to >= count) return
    event.preventDefault()
    container.current?.querySelectorAll<HTMLElement>('[data-item]')[to]?.focus()
  }
  function targetOf(key: string): number | undefined {
    if (key === 'Home') return 0
    if (key === 'End') return count - 1
    const step = stepOf(key, columns)
    return step === undefined ? undefined : stop + step
  }
  /** Props of one item. */
  const itemProps = (at: number) => ({
    'data-item': at,
    tabIndex: at === stop ? 0 : -1,
    onFocus: () => {
      setFocused(at)
      setShown(at)
    },
    onBlur: () => setShown(null),
    onPointerEnter: () => setShown(at),
  })
  const containerProps = { ref: container, onKeyDown, onPointerLeave: () => setShown(null) }
  return { shown, containerProps, itemProps }
}
