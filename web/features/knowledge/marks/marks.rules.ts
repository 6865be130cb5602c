// Days, as people choose them, and the instants in which a source is found. A last day is found to its end. Pure.
import type { SourceMarks } from '#shared/knowledge/knowledge-marks.ts'

/** Days as 2026-02-01, empty: without an end on that side. In the time zone of this device. */
export type Days = { first: string; last: string }

/** The days in which a source is found. */
export function toDays({ validFrom, validUntil }: Pick<SourceMarks, 'validFrom' | 'validUntil'>): Days {
  return { first: toDay(validFrom), last: toDay(validUntil === null ? null : validUntil - 1) }
}

/** From the beginning of the first day to the end of the last. */
export function fromDays({ first, last }: Days): Pick<SourceMarks, 'validFrom' | 'validUntil'> {
  return { validFrom: startOf(first, 0), validUntil: startOf(last, 1) }
}

function toDay(at: number | null): string {
  if (at === null) return ''
  const date = new Date(at)
  const month = String(date.getMonth() + 1).padStart(2, '0')
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`
}

function startOf(day: string, later: number): number | null {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return null
  return new Date(year, month - 1, date + later).getTime()
}
