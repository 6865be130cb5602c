// Rows of a synthetic table and the results expected of them, calculated without the database.
import type { Random } from '#tests/random.ts'

/** Number, sum and maximum of the prices. */
export function computed(items: Item[]) {
  const prices = items.flatMap(({ price }) => (price === null ? [] : [price]))
  const sum = prices.reduce((total, price) => total + Math.round(price * 100), 0) / 100
  return prices.length > 0 ? [prices.length, sum, Math.max(...prices)] : [0, null, null]
}

/** Rows without a price come last. */
export function byPrice(a: Item, b: Item, direction: 'asc' | 'desc'): number {
  if (a.price === b.price) return a.number - b.number
  if (a.price === null || b.price === null) return a.price === null ? 1 : -1
  return direction === 'asc' ? a.price - b.price : b.price - a.price
}

/** The facts of a row, before it is written to a file. */
export type Item = { number: number; name: string; price: number | null; day: string | null }

/** A row with one of a few names, at times without a price or a day. */
export function makeItem(random: Random, index: number): Item {
  return {
    number: index + 1,
    name: `${random.pick(['table', 'chair', 'lamp', 'shelf'])} ${random.below(50)}`,
    price: random.chance(0.05) ? null : random.below(100_000) / 100,
    day: random.chance(0.05) ? null : `2026-0${1 + random.below(9)}-${10 + random.below(18)}`,
  }
}

const COMPARE = {
  eq: <T>(a: T, b: T) => a === b,
  ne: <T>(a: T, b: T) => a !== b,
  lt: <T>(a: T, b: T) => a < b,
  lte: <T>(a: T, b: T) => a <= b,
  gt: <T>(a: T, b: T) => a > b,
  gte: <T>(a: T, b: T) => a >= b,
}

/** A filter of a question along with the expected predicate. */
export function makeFilter(random: Random): { filter: object; holds: (item: Item) => boolean } {
  const operator = random.pick(Object.keys(COMPARE) as (keyof typeof COMPARE)[])
  const kind = random.below(4)
  if (kind === 0) {
    const value = random.below(100_000) / 100
    return {
      filter: { column: 2, operator, value },
      holds: ({ price }) => price !== null && COMPARE[operator](price, value),
    }
  }
  if (kind === 1) {
    const value = `2026-0${1 + random.below(9)}-15`
    return { filter: { column: 3, operator, value }, holds: ({ day }) => day !== null && COMPARE[operator](day, value) }
  }
  if (kind === 2) {
    const value = random.pick(['air 1', 'LAMP', 'shelf 4'])
    return {
      filter: { column: 1, operator: 'contains', value },
      holds: ({ name }) => name.includes(value.toLowerCase()),
    }
  }
  return { filter: { column: 2, operator: 'is_empty' }, holds: ({ price }) => price === null }
}
