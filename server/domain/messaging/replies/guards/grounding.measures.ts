// Units of the figures in answers, and which of them are of one measure: 12 months are a year.

/** A quantity with another unit is another fact, unless one can be had from the other. */
export type Unit =
  | 'rub'
  | 'usd'
  | 'eur'
  | 'kzt'
  | 'percent'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'year'
  | 'kg'
  | 'g'
  | 'mm'
  | 'cm'
  | 'm'
  | 'km'
  | 'ml'
  | 'l'

/** Units of one measure, in the smallest. A month has no known number of days. */
const MEASURES: Partial<Record<Unit, number>>[] = [
  { minute: 1, hour: 60, day: 1440, week: 10_080 },
  { month: 1, year: 12 },
  { g: 1, kg: 1000 },
  { mm: 1, cm: 10, m: 1000, km: 1_000_000 },
  { ml: 1, l: 1000 },
]
/** By what to multiply a number to have it in another unit of its measure; null where there is none. */
export function factorBetween(unit: Unit | null, other: Unit | null): number | null {
  if (unit === null || other === null) return null
  for (const measure of MEASURES) {
    const [from, to] = [measure[unit], measure[other]]
    if (from !== undefined && to !== undefined) return from / to
  }
  return null
}
