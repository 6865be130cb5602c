// Questions to a synthetic table, with the answers that the tool must give: calculated from the facts, without any code of the server.
import type { Random } from '#tests/random.ts'
import { type Fact, type Goods, type MadeTable, typedPrice } from './table-goods.ts'

type Numbered = Goods & { number: number }
type Value = string | number | boolean | null
type Filter = { filter: object; fact: Fact; holds: (goods: Goods) => boolean }
type Figure = { aggregate: object; fact: Fact | null; label: string; of: (goods: Goods[]) => Value }
type Order = { sort: object; fact: Fact; direction: 'asc' | 'desc' }

/** `question` without its table. */
export type AskedTable = { question: object; answer: { matchedRows: number } }

const TYPES = {
  name: 'text',
  group: 'text',
  price: 'number',
  quantity: 'number',
  isThere: 'boolean',
  day: 'date',
} as const
const COMPARE = {
  eq: (a: Value, b: Value) => a === b,
  ne: (a: Value, b: Value) => a !== b,
  lt: (a: Value, b: Value) => less(a, b),
  lte: (a: Value, b: Value) => !less(b, a),
  gt: (a: Value, b: Value) => less(b, a),
  gte: (a: Value, b: Value) => !less(a, b),
}

export function makeQuestion(random: Random, table: MadeTable): AskedTable {
  const filters = Array.from({ length: random.below(3) }, () => makeFilter(random, table))
  const wants = random.pick(['figures', 'rows', 'groups'] as const)
  const figures = wants === 'rows' ? [] : makeFigures(random, table)
  const groupBy = wants === 'groups' ? random.pick(['group', 'isThere'] as const) : null
  const order = wants === 'rows' ? makeOrder(random, table) : null
  const byFigure =
    groupBy && random.chance(0.7) ? { aggregate: 1, direction: random.pick(['asc', 'desc'] as const) } : null
  const limit = 1 + random.below(10)
  const sort = order?.sort ?? byFigure
  const question = {
    ...(filters.length > 0 && { filters: filters.map(({ filter }) => filter) }),
    ...(figures.length > 0 && { aggregates: figures.map(({ aggregate }) => aggregate) }),
    ...(groupBy && { groupBy: columnOf(table, groupBy) }),
    ...(sort && { sort }),
    limit,
  }
  const numbered = table.goods.map((goods, at) => ({ ...goods, number: at + 1 }))
  const matched = numbered.filter((goods) => filters.every(({ holds }) => holds(goods)))
  const rows = (order ? sorted(matched, order) : matched).slice(0, limit)
  const groups = groupBy ? groupsOf(table, matched, groupBy, figures, byFigure?.direction ?? null) : []
  const computed = groupBy ? groups.slice(0, limit) : figures.length > 0 ? [valuesOf(figures, matched)] : []
  const named = [...filters.map(({ fact }) => fact), ...figures.map(({ fact }) => fact), ...(order ? [order.fact] : [])]
  const unfit = table.goods.filter(({ price }) => price === 'none').length
  const answer = {
    table: table.file,
    columns: table.header,
    units: [{ column: nameOf(table, 'price'), unit: table.language === 'ru' ? '₽' : '$' }],
    matchedRows: matched.length,
    ofRows: table.goods.length,
    ...(named.includes('price') &&
      unfit > 0 && { cellsOfAnotherType: [{ column: nameOf(table, 'price'), cells: unfit }] }),
    ...(groupBy && { groups: groups.length }),
    leftOut: { rows: matched.length - rows.length, ...(groupBy && { groups: groups.length - computed.length }) },
    computed,
    rows: rows.map(({ number }) => ({ row: number, cells: table.cells[number - 1] })),
  }
  return { question, answer }
}

/** Compares texts as a person does. */
export function folded(text: string): string {
  return text.toLowerCase().split('ё').join('е').split(/\s+/).filter(Boolean).join(' ')
}

/** Normalizes as a question does: punctuation and spaces only count as present, and not at all next to a digit. */
export function evened(text: string): string {
  const parts = folded(text).match(/\d+|[^\s\d_"'«»;:,.()-]+|[\s_"'«»;:,.()-]+/gu) ?? []
  const isGap = (part: string) => /^[\s_"'«»;:,.()-]/u.test(part)
  const kept = parts.filter((part, at) => {
    const [before = '', after = ''] = [parts[at - 1], parts[at + 1]]
    return !isGap(part) || (before !== '' && after !== '' && /\d$/.test(before) === /^\d/.test(after))
  })
  return kept.map((part) => (isGap(part) ? ' ' : part)).join('')
}

/** The same text as another person would type it: another case, е for ё or ё for е, more spaces. */
export function retyped(random: Random, text: string): string {
  const cased = random.pick([text, text.toUpperCase(), text.toLowerCase()])
  const lettered = random.chance(0.5) ? cased.replaceAll('ё', 'е').replaceAll('Ё', 'Е') : cased
  return random.pick([lettered, `  ${lettered} `, lettered.replaceAll(' ', '   '), lettered.replaceAll(' ', '\u00a0')])
}

/** The comparable and summable value of a cell. Prices stay in hundredths. */
function comparable(goods: Goods, fact: Fact): Value {
  const value = goods[fact]
  if (value === 'none') return null
  return TYPES[fact] === 'text' && typeof value === 'string' ? folded(value) : value
}

function makeFilter(random: Random, table: MadeTable): Filter {
  const fact = random.pick(table.facts)
  const column = columnOf(table, fact)
  const type = TYPES[fact]
  if (random.chance(0.1)) {
    const operator = random.pick(['is_empty', 'is_filled'] as const)
    return {
      fact,
      filter: { column, operator },
      holds: (goods) => (comparable(goods, fact) === null) === (operator === 'is_empty'),
    }
  }
  const known = random.pick(table.goods.flatMap((goods) => comparable(goods, fact) ?? []))
  if (type === 'text')
    return textFilter(random, { fact, column }, random.pick(table.goods.flatMap((goods) => goods[fact] ?? [])))
  const operators = type === 'boolean' ? (['eq', 'ne'] as const) : (['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const)
  const operator = random.pick(operators)
  const value = typeof known === 'number' && random.chance(0.5) ? known + 1 : known
  return {
    fact,
    filter: { column, operator, value: given(random, table, fact, value) },
    holds: (goods) => {
      const own = comparable(goods, fact)
      return own !== null && COMPARE[operator](own, value)
    },
  }
}

/** A number as a number, or as text in the spelling of the table. */
function given(random: Random, { language }: MadeTable, fact: Fact, value: Value): Value {
  if (fact !== 'price' || typeof value !== 'number') return value
  if (random.chance(0.5)) return value / 100
  // Three decimals and a comma could be thousands: with two it is unambiguous.
  const text = typedPrice(random, language, value)
  return /,\d{3}$/.test(text.replace(/[^\d,.]/g, '')) ? value / 100 : text
}

function textFilter(random: Random, { fact, column }: { fact: Fact; column: number }, of: Value): Filter {
  const text = String(of)
  const operator = random.pick(['eq', 'ne', 'contains', 'starts_with'] as const)
  const length = 2 + random.below(5)
  const part = operator === 'contains' ? text.slice(1, 1 + length) : text.slice(0, length)
  const wanted = operator === 'contains' || operator === 'starts_with' ? part : text
  const isWord = evened(wanted) !== ''
  const value = isWord ? evened(wanted) : folded(wanted)
  const holds = {
    eq: (own: string) => own === value,
    ne: (own: string) => own !== value,
    contains: (own: string) => own.split(value).length > 1 || value === '',
    starts_with: (own: string) => own.slice(0, value.length) === value,
  }[operator]
  return {
    fact,
    filter: { column, operator, value: retyped(random, wanted) },
    holds: (goods) => {
      const own = comparable(goods, fact)
      return typeof own === 'string' && holds(isWord ? evened(own) : own)
    },
  }
}

/** Distinct values. */
function makeFigures(random: Random, table: MadeTable): Figure[] {
  const made = Array.from({ length: 1 + random.below(3) }, () => makeFigure(random, table))
  return [...new Map(made.map((figure) => [figure.label, figure])).values()]
}

function makeFigure(random: Random, table: MadeTable): Figure {
  const fact = random.pick(['price', 'quantity', 'day', null] as const)
  if (fact === null)
    return { aggregate: { function: 'count' }, fact, label: 'number of rows', of: (goods) => goods.length }
  const names = fact === 'day' ? (['count', 'min', 'max'] as const) : (['count', 'sum', 'avg', 'min', 'max'] as const)
  const name = random.pick(names)
  const column = columnOf(table, fact)
  const scale = fact === 'price' ? 100 : 1
  return {
    aggregate: { function: name, column },
    fact,
    label: `${name} of column ${column}`,
    of: (goods) => {
      const values = goods.flatMap((each) => comparable(each, fact) ?? [])
      if (name === 'count') return values.length
      if (values.length === 0) return null
      const numbers = values.filter((value) => typeof value === 'number')
      const sum = numbers.reduce((total, value) => total + value, 0)
      if (name === 'sum') return sum / scale
      if (name === 'avg') return sum / (scale * numbers.length)
      const best = values.reduce((a, b) => (less(b, a) === (name === 'min') && a !== b ? b : a))
      return typeof best === 'number' ? best / scale : best
    },
  }
}

function makeOrder(random: Random, table: MadeTable): Order | null {
  if (random.chance(0.2)) return null
  const fact = random.pick(table.facts)
  const direction = random.pick(['asc', 'desc'] as const)
  return { fact, direction, sort: { column: columnOf(table, fact), direction } }
}

/** Empty cells come last, equal ones in file order. */
function sorted(goods: Numbered[], { fact, direction }: Order): Numbered[] {
  return goods.toSorted((a, b) => compare(comparable(a, fact), comparable(b, fact), direction) || a.number - b.number)
}

/** One group for each value, named by its first spelling; the largest first, unless sorted by the first figure. */
function groupsOf(
  table: MadeTable,
  goods: Numbered[],
  fact: Fact,
  figures: Figure[],
  direction: 'asc' | 'desc' | null,
) {
  const first = figures[0]
  const groups = [...Map.groupBy(goods, (each) => comparable(each, fact))].map(([key, of]) => ({
    key,
    of,
    by: first?.of(of) ?? null,
  }))
  const bySize = direction === null
  return groups
    .toSorted(
      (a, b) => (bySize ? b.of.length - a.of.length : compare(a.by, b.by, direction)) || compare(a.key, b.key, 'asc'),
    )
    .map(({ key, of }) => {
      const spellings = of.map(({ number }) => table.cells[number - 1]?.[columnOf(table, fact) - 1] ?? '')
      const name = typeof key === 'string' ? (spellings.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? null) : key
      return { group: name, ...valuesOf(figures, of) }
    })
}

function valuesOf(figures: Figure[], goods: Goods[]): Record<string, Value> {
  return Object.fromEntries(figures.map(({ label, of }) => [label, of(goods)]))
}

function compare(a: Value, b: Value, direction: 'asc' | 'desc'): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return less(a, b) === (direction === 'asc') ? -1 : 1
}

/** No before yes, days chronologically, texts by code points. */
function less(a: Value, b: Value): boolean {
  return a !== null && b !== null && a < b
}

function columnOf(table: MadeTable, fact: Fact): number {
  return table.facts.indexOf(fact) + 1
}

function nameOf(table: MadeTable, fact: Fact): string | undefined {
  return table.header[columnOf(table, fact) - 1]
}
