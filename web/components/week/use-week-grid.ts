// Painting the week by keyboard, mouse and touch.
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type SyntheticEvent, useRef, useState } from 'react'
import { type Cell, isOpen, paint, toggleDay, toggleHour, type WeekHours } from './hours.rules.ts'
import { nextPlace, withoutHeading } from './week-grid.keys.ts'

/** A rectangle that is being painted: it follows the pointer or the arrows, and gives back what it leaves. */
type Stroke = { from: Cell; before: WeekHours; shouldOpen: boolean }

type WeekGridOptions = {
  value: WeekHours
  onChange: (hours: WeekHours) => void
  isAcross: boolean
}

/** The place that holds the one tab stop, and the handlers of the table. Places are read off `data-day` and `data-hour`. */
export function useWeekGrid({ value, onChange, isAcross }: WeekGridOptions) {
  const [place, setPlace] = useState<Cell>({ day: 0, hour: 0 })
  const stroke = useRef<Stroke | null>(null)
  const isMouse = useRef(false)

  function toggle(at: Cell) {
    stroke.current = null
    if (at.hour < 0) onChange(toggleDay(value, at.day))
    else if (at.day < 0) onChange(toggleHour(value, at.hour))
    else onChange(paint(value, at, at, !isOpen(value, at)))
  }

  function extend(to: Cell) {
    const from = withoutHeading(place)
    const running = stroke.current ?? { from, before: value, shouldOpen: isOpen(value, from) }
    stroke.current = running
    onChange(paint(running.before, running.from, to, running.shouldOpen))
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      return toggle(place)
    }
    const next = nextPlace(place, { key: event.key, ctrlKey: event.ctrlKey || event.metaKey, isAcross })
    if (!next) return
    event.preventDefault()
    const target = event.shiftKey ? withoutHeading(next) : next
    if (event.shiftKey) extend(target)
    else stroke.current = null
    focusPlace(event.currentTarget, target)
  }

  function onPointerDown(event: PointerEvent) {
    const at = placeOf(event)
    isMouse.current = event.pointerType === 'mouse' && event.button === 0
    if (!at || !isMouse.current || at.day < 0 || at.hour < 0) return
    const shouldOpen = !isOpen(value, at)
    stroke.current = { from: at, before: value, shouldOpen }
    onChange(paint(value, at, at, shouldOpen))
  }

  function onPointerOver(event: PointerEvent) {
    const at = placeOf(event)
    if (at && isMouse.current && event.buttons === 1 && stroke.current) extend(withoutHeading(at))
  }

  /** Fingers, pens and assistive technology; a mouse has painted when it was pressed. */
  function onClick(event: MouseEvent) {
    const at = placeOf(event)
    const isPainted = isMouse.current && event.detail > 0
    isMouse.current = false
    if (at && !(isPainted && at.day >= 0 && at.hour >= 0)) toggle(at)
  }

  function onFocus(event: SyntheticEvent) {
    const at = placeOf(event)
    if (at) setPlace(at)
  }

  return { place, handlers: { onKeyDown, onPointerDown, onPointerOver, onClick, onFocus } }
}

function placeOf(event: SyntheticEvent): Cell | null {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-day]') : null
  return element ? { day: Number(element.dataset.day), hour: Number(element.dataset.hour) } : null
}

function focusPlace(grid: HTMLElement, { day, hour }: Cell): void {
  grid.querySelector<HTMLElement>(`[data-day="${day}"][data-hour="${hour}"]`)?.focus()
}
