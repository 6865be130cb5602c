// Where a key leads in the grid of a week. Day or hour -1 is a heading: of an hour, or of a day.
import { type Cell, DAYS, HOURS } from './hours.rules.ts'

/** What of a key press matters. `isAcross`: hours run from left to right; otherwise days do. */
type Press = { key: string; ctrlKey: boolean; isAcross: boolean }

/** The next place, which is the same one at the edge; null for keys that do not move. The corner of both headings is no place. */
export function nextPlace(at: Cell, { key, ctrlKey, isAcross }: Press): Cell | null {
  const along = isAcross ? 'hour' : 'day'
  const across = isAcross ? 'day' : 'hour'
  switch (key) {
    case 'ArrowRight':
      return move(at, along, 1)
    case 'ArrowLeft':
      return move(at, along, -1)
    case 'ArrowDown':
      return move(at, across, 1)
    case 'ArrowUp':
      return move(at, across, -1)
    case 'Home':
      return ctrlKey ? { day: 0, hour: 0 } : { ...at, [along]: 0 }
    case 'End':
      return ctrlKey ? { day: DAYS - 1, hour: HOURS - 1 } : { ...at, [along]: lastOf(along) }
    default:
      return null
  }
}

/** The nearest place that is not a heading. */
export function withoutHeading({ day, hour }: Cell): Cell {
  return { day: Math.max(0, day), hour: Math.max(0, hour) }
}

function move(at: Cell, axis: keyof Cell, step: 1 | -1): Cell {
  const other = axis === 'day' ? at.hour : at.day
  const first = other === -1 ? 0 : -1
  return { ...at, [axis]: Math.min(lastOf(axis), Math.max(first, at[axis] + step)) }
}

function lastOf(axis: keyof Cell): number {
  return axis === 'day' ? DAYS - 1 : HOURS - 1
}
