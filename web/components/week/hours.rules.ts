// The hours of a week: painting them, presets, and saying them in words.

/** Seven lists, Monday first, of hours from 0 to 23, each in order. */
export type WeekHours = number[][]
/** A cell of the week: day 0 is Monday. */
export type Cell = { day: number; hour: number }

export const DAYS = 7
export const HOURS = 24

const span = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const week = (working: number[], weekend: number[]): WeekHours =>
  Array.from({ length: DAYS }, (_, day) => [...(day < 5 ? working : weekend)])

/** Weeks that are often wanted. */
export const PRESETS = {
  work: week(span(9, 18), []),
  always: week(span(0, HOURS), span(0, HOURS)),
  evenings: week(span(18, HOURS), span(0, HOURS)),
} as const

/** Whether this hour is one of them. */
export function isOpen(hours: WeekHours, { day, hour }: Cell): boolean {
  return hours[day]?.includes(hour) ?? false
}

/** The week with the rectangle between two cells opened or closed, both cells included. */
export function paint(hours: WeekHours, from: Cell, to: Cell, shouldOpen: boolean): WeekHours {
  const isBetween = (at: number, a: number, b: number) => at >= Math.min(a, b) && at <= Math.max(a, b)
  return hours.map((open, day) =>
    isBetween(day, from.day, to.day)
      ? span(0, HOURS).filter((hour) => (isBetween(hour, from.hour, to.hour) ? shouldOpen : open.includes(hour)))
      : open,
  )
}

/** Opens a whole day, or closes it when it is wholly open. */
export function toggleDay(hours: WeekHours, day: number): WeekHours {
  const isWhole = hours[day]?.length === HOURS
  return paint(hours, { day, hour: 0 }, { day, hour: HOURS - 1 }, !isWhole)
}

/** Opens an hour on all days, or closes it when it is open on all of them. */
export function toggleHour(hours: WeekHours, hour: number): WeekHours {
  const isWhole = hours.every((open) => open.includes(hour))
  return paint(hours, { day: 0, hour }, { day: DAYS - 1, hour }, !isWhole)
}

/** Unbroken times of a day, `[9, 18]` from nine until eighteen. */
export function rangesOf(open: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const hour of open) {
    const last = ranges.at(-1)
    if (last && last[1] === hour) last[1] = hour + 1
    else ranges.push([hour, hour + 1])
  }
  return ranges
}

/** Neighbouring days with the same hours, together; days without any hour are left out. */
export function daySpans(hours: WeekHours): { from: number; to: number; ranges: [number, number][] }[] {
  const spans: { from: number; to: number; ranges: [number, number][] }[] = []
  hours.forEach((open, day) => {
    if (open.length === 0) return
    const last = spans.at(-1)
    const ranges = rangesOf(open)
    if (last && last.to === day - 1 && String(last.ranges) === String(ranges)) last.to = day
    else spans.push({ from: day, to: day, ranges })
  })
  return spans
}

/** Whether no hour of the week is open. */
export function isNever(hours: WeekHours): boolean {
  return hours.every((open) => open.length === 0)
}
