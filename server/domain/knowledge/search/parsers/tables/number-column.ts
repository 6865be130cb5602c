// A column as numbers: whether it is one, what its signs and units are, and what each of its cells says.
import type { ColumnDoubt, NoteKind, NumberSign, SignMeaning } from '#shared/knowledge/tables.ts'
import { isDash } from './cell-values.ts'
import { decideSigns, numberOf, type Signs } from './number-signs.ts'
import { type Quantity, readQuantity } from './quantities.ts'
import { isMoney, scaleIn, unitInName, unitOf } from './units.ts'
import { isWithoutNumber, isZero, subjectOf } from './words-for-numbers.ts'

/** A cell of one column. `isNative`: a spreadsheet holds it as a number; `isRepeat`: it says what a merged cell above it says. */
export type ColumnCell = { text: string; isNative?: boolean; isRepeat?: boolean }
/** What a cell says; `value` null: no number, which is all right where `fits`. */
export type CellReading = { value: number | null; fits: boolean; unit: string; note?: NoteKind }
export type NumberColumn = {
  unit: string | null
  /** Several units; an empty one is not known. */
  units: string[] | null
  doubt: ColumnDoubt | null
  signs: Partial<Signs>
  read(cell: ColumnCell): CellReading
}
/** `isForced`: a person says that it is one of numbers. */
export type NumberHints = {
  name: string
  chosen?: Partial<Record<NumberSign, SignMeaning>>
  elsewhere?: Partial<Signs>
  isForced?: boolean
}

/** Share of numbers among the cells that are not known to be without one, from which a column is one of numbers. */
const LEAST_NUMBERS = 0.7
/** The same for a column that is called price or stock. */
const LEAST_OF_SUBJECT = 0.5
/** Share of codes, such as 007, from which all numbers of a column are codes. */
const MOST_CODES = 0.2
const UNKNOWN_UNITS_MAX = 3
const EXAMPLES = 3
const DAY_OF_MONTH = /^(?:0?[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])$/
const PADDED_DAY = /^0\d\.\d{2}$/
const TIME_OF_DAY = /^(?:[01]?\d|2[0-4])\.[0-5]\d$/
const TIME_NAME =
  /врем|начал|конец|оконч|открыт|закрыт|отправл|прибыт|вылет|заезд|выезд|time|start|begin|\bend|open|clos|depart|arriv|уақыт|баста|аяқта/iu
const NAMING =
  /телефон|(?<!\p{L})(?:тел|моб|инн|бин|иин)(?!\p{L})|штрих|whats|phone|mobile|barcode|(?<!\p{L})(?:ean|gtin|upc|bin|iin)(?!\p{L})/iu
const LONG_NUMBER = /^\d{7,}$/
/** Flats of one room and of two, not thousands. */
const ROOMS = /^[1-9]-?[кk]\.?$/iu
const THOUSANDS = /\d\d\s?[кk]$/iu
const MILLIONS = /(?<=\d)\s?[MМ]$/u
const CODE = /^(?:0\d+|\+\d{6,}|\d{16,})$/

type Read = { text: string; cell: ColumnCell; quantity: Quantity | undefined }

/** Undefined for a column of something else. */
export function readAsNumbers(cells: ColumnCell[], hints: NumberHints): NumberColumn | undefined {
  const header = unitInName(hints.name) ?? null
  const subject = subjectOf(hints.name) ?? (header !== null && isMoney(header) ? 'price' : null)
  const filled = cells.filter(({ text }) => text !== '')
  const areDays = hasPaddedDays(filled)
  const areRooms = subject !== 'price' && !filled.some(({ text }) => THOUSANDS.test(text.trim()))
  const areMillions = subject === 'price' || filled.some(({ text }) => THOUSANDS.test(text.trim()))
  const quantityIn = ({ text, isNative }: ColumnCell) => {
    const cell = text.trim()
    if (areDays && !isNative && DAY_OF_MONTH.test(cell)) return undefined
    if (areRooms && ROOMS.test(cell)) return undefined
    const whole = areMillions ? cell.replace(MILLIONS, ' млн') : cell
    return readQuantity(subject === null ? withSignBefore(whole) : whole)
  }
  const read = filled.map((cell): Read => ({ text: cell.text, cell, quantity: quantityIn(cell) }))
  const numbers = read.flatMap(({ quantity, cell }) => (quantity ? [{ ...quantity, cell }] : []))
  if (
    !hints.isForced &&
    (areTimes(filled, hints.name) || areNames(filled, hints.name) || !areNumbers(read, numbers, subject))
  )
    return undefined
  const isScaled = scaleIn(hints.name) !== undefined
  const { plain, units } = unitsOf(numbers, hints.name, header)
  const written = numbers.filter(({ cell }) => !cell.isNative)
  const decided = decideSigns(written, {
    isPrice: !isScaled && (subject === 'price' || units.some(isMoney)) && !units.some((unit) => /\/(?!шт)/.test(unit)),
    chosen: hints.chosen ?? {},
    elsewhere: hints.elsewhere ?? {},
  })
  const signsFor = (isNative?: boolean): Signs => (isNative ? { ',': null, '.': 'decimal' } : decided.signs)
  const readCell = (cell: ColumnCell): CellReading => {
    const nothing = { value: null, unit: '' }
    if (cell.text === '') return { ...nothing, fits: true }
    if (isZero(cell.text, subject)) return { value: 0, fits: true, unit: plain, note: 'zero' }
    if (isDash(cell.text)) return { ...nothing, fits: true }
    const quantity = quantityIn(cell)
    if (!quantity || quantity.bound === 'range' || quantity.bound === 'at_most') return { ...nothing, fits: false }
    if (isScaled && quantity.isScaled) return { ...nothing, fits: false }
    const unit = quantity.unit ?? plain
    if (cell.isRepeat) return { value: null, fits: true, unit, note: 'merged' }
    const number = numberOf(quantity.digits, signsFor(cell.isNative)) * quantity.scale
    const value = quantity.scale === 1 ? number : Number(number.toPrecision(15))
    if (!Number.isFinite(value)) return { ...nothing, fits: false }
    const note = quantity.bound === 'exact' ? (quantity.isMarked ? 'marked' : undefined) : quantity.bound
    return { value, fits: true, unit, ...(note && { note }) }
  }
  const hasNatives = numbers.some(({ cell }) => cell.isNative)
  return {
    unit: units.length === 1 ? units[0] || null : null,
    units: units.length > 1 ? units : null,
    doubt: decided.doubt && doubtOf(decided.doubt, written),
    signs: {
      ...hints.chosen,
      ...(hasNatives && !written.some(({ digits }) => digits.includes('.')) && { '.': 'decimal' as const }),
    },
    read: readCell,
  }
}

/** Negative as accounting writes it: `(1 250)` and `1 250-` for -1 250. Nothing that has a price or is in stock is negative. */
function withSignBefore(text: string): string {
  return text.trim().replace(/^(?:\((\d[^()]*)\)|(\d[\d\s.,'’]*\d|\d)-)$/u, '-$1$2')
}

/** What the cells of a column prove about its signs, for the other columns. */
export function provenSignsOf(cells: ColumnCell[], name: string): Partial<Signs> {
  const column = readAsNumbers(cells, { name })
  if (!column || column.doubt) return {}
  const written = cells.flatMap(({ text, isNative }) => (isNative ? [] : (readQuantity(text) ?? [])))
  return decideSigns(written, { isPrice: false, chosen: {}, elsewhere: {} }).signs
}

function areNumbers(read: Read[], numbers: Quantity[], subject: 'stock' | 'price' | null): boolean {
  if (numbers.every(({ bound }) => bound === 'range')) return false // nothing could be computed of them
  const codes = read.filter(({ text }) => CODE.test(text.trim())).length
  if (codes >= MOST_CODES * read.length) return false
  const others = read.filter(
    ({ text, quantity }) => !quantity && !isDash(text) && !isWithoutNumber(text) && !isZero(text, subject),
  ).length
  const least = subject ? LEAST_OF_SUBJECT : LEAST_NUMBERS
  if (numbers.length / (numbers.length + others) < least) return false
  if (!subject && numbers.length < 0.3 * read.length) return false
  const strange = new Set(numbers.flatMap(({ unit }) => (unit && !isMoney(unit) ? [unit] : [])))
  if (strange.size > UNKNOWN_UNITS_MAX) return false
  return numbers.length > 1 || strange.size === 0 || subject !== null
}

/** Times written with a point, by the name of their column: 10.30 is no 10.3. */
function areTimes(written: ColumnCell[], name: string): boolean {
  return TIME_NAME.test(name) && written.every(({ text, isNative }) => !isNative && TIME_OF_DAY.test(text.trim()))
}

/** Numbers by which something is called or known, by the name of their column: nothing is computed of telephones. */
function areNames(cells: ColumnCell[], name: string): boolean {
  return NAMING.test(name) && cells.every(({ text }) => isDash(text) || LONG_NUMBER.test(text.trim()))
}

/** Days such as 05.12 make days of the others, such as 10.12: which of them are numbers cannot be known. */
function hasPaddedDays(cells: ColumnCell[]): boolean {
  const written = cells.filter(({ isNative }) => !isNative).map(({ text }) => text.trim())
  const days = written.filter((text) => DAY_OF_MONTH.test(text))
  return days.filter((text) => PADDED_DAY.test(text)).length * 4 >= days.length && days.length > 0
}

/**
 * The units of a column, the commonest first. Numbers without one are of that of its name, or of the only one that more than half of the
 * cells have, of money; otherwise it is unknown, and `plain` is empty.
 */
function unitsOf(numbers: Quantity[], name: string, header: string | null): { plain: string; units: string[] } {
  const counts = new Map<string, number>()
  let bare = 0
  for (const { unit } of numbers) {
    if (unit === null) bare += 1
    else counts.set(unit, (counts.get(unit) ?? 0) + 1)
  }
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1]).map(([unit]) => unit)
  const [only] = sorted
  const isAlone = sorted.length === 1 && only !== undefined
  const isCommon = isAlone && isMoney(only) && numbers.length - bare > numbers.length / 2
  const isNamed = isAlone && (name.match(/[\p{L}²³%]+/gu) ?? []).some((word) => unitOf(word) === only)
  const isCounted = (isAlone && only === 'шт') || isNamed
  const plain = header ?? (isCommon || isCounted ? only : '') ?? ''
  const isPlainUnit = bare > 0 && !sorted.includes(plain)
  return { plain, units: isPlainUnit ? [...sorted, plain] : sorted }
}

function doubtOf(sign: NumberSign, numbers: Quantity[]): ColumnDoubt {
  const open = numbers.filter(({ digits }) => new RegExp(`^[+-]?\\d{1,3}\\${sign}\\d{3}$`).test(digits))
  const as = (digits: string, meaning: SignMeaning) => numberOf(digits, { ',': null, '.': null, [sign]: meaning })
  const texts = [...new Set(open.map(({ digits }) => digits))].slice(0, EXAMPLES)
  return {
    kind: 'sign',
    sign,
    examples: texts.map((cell) => ({ cell, thousands: as(cell, 'thousands'), decimal: as(cell, 'decimal') })),
  }
}
