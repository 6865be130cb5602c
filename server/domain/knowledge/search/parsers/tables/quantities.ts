// Parses a cell as a number: its digits as written, its unit, and whether it is exact.
import { isMonth } from './cell-values.ts'
import { MONEY_SIGNS, mayStandClose, unitOf } from './units.ts'

/** How a number bounds the value: "от 900" is at least 900. */
export type Bound = 'exact' | 'at_least' | 'at_most' | 'about' | 'range'
/** `digits` without spaces and units, with their signs of thousands and decimals: which is which depends on the other cells. */
export type Quantity = {
  digits: string
  isGrouped: boolean
  scale: number
  unit: string | null
  bound: Bound
  isScaled: boolean
  isMarked: boolean
}

const GAP = '[ \\u00a0\\u202f\\u2009]'
const NUMBER = `[+\\-−–]?(?:\\d{1,3}(?:(?:${GAP}|['’])\\d{3})+|\\d+)(?:[.,]\\d+)*(?!${GAP}?\\d)`
const SYMBOL = `(?:US)?[${MONEY_SIGNS}]`
const WORD = `(?:[${MONEY_SIGNS}%°]|\\p{L}[\\p{L}.'’ʻʼ‘]{0,11}[²³23]?)`
const BOUNDS: [Bound, RegExp][] = [
  [
    'at_least',
    /^(?:от|начиная с|не менее|более|больше|свыше|мин\.?|from|starting (?:at|from)|at least|over|more than|min\.?|>=?|≥)\s*/iu,
  ],
  ['at_most', /^(?:до|не более|менее|меньше|макс\.?|up to|at most|under|less than|max\.?|<=?|≤)\s*/iu],
  ['about', /^(?:около|примерно|прибл\.?|ок\.|about|approx\.?|ca\.?|шамамен|~|≈|±)\s*/iu],
]
const MORE_BEHIND =
  /\s*(?:\+|и выше|и более|и больше|and (?:up|more)|(?:-?(?:ден|дан|тен|тан))? ?бастап|-?(?:нан|нен|дан|ден|тан|тен) (?:көп|астам|артық|жоғары)|(?<=теңге|тг|\d ?₸)-?(?:ден|дан))$/iu
/** What is written behind a price instead of its hundredths, so that nothing can be added. */
const NO_CENTS = /(?<=\d)(?:[.,][-–—]{1,2}(?=$|\s)|\s?=$)/u
/** A decimal number without its nought: `,75` and `$.99`. */
const NO_NOUGHT = new RegExp(`(?<=^[+\\-−]?${SYMBOL}?)(?=[.,]\\d{1,3}(?![\\d.,]))`, 'u')
const PER_YEAR = /^%\s*(?:годовых|в год|жылдық|per annum|p\.?\s?a\.?)$/iu
const SCALES: [number, RegExp][] = [
  [1e3, /^(?:тыс(?:\.|яч\p{L}*)?|мың|k|к|thousand)(?![\p{L}\d])\.?/iu],
  [1e6, /^(?:млн\.?|миллион\p{L}*|mln|million)(?![\p{L}\d])/iu],
  [1e9, /^(?:млрд\.?|миллиард\p{L}*|billion)(?![\p{L}\d])/iu],
]
const MARKED = /(?:\s?[*†‡]+|(?<=[\d₽₸$€£%])\s?[¹²³⁴⁵⁶⁷⁸⁹]+)$/u
/** Currencies that stand before their number as well. */
const CODES = 'usd|eur|gbp|kzt|rub|руб\\.?|тг\\.?|aed|chf|inr|rs\\.?|try|pln|azn|gel|uzs|kgs'
const RANGE = new RegExp(`^(${NUMBER})\\s*(?:[-–—…]|\\.\\.+|до|to)\\s*(${NUMBER})(.*)$`, 'u')
const SINGLE = new RegExp(`^(?:(${SYMBOL}|(?:${CODES})(?=[\\s\\d]))\\s*)?(${NUMBER})(\\s*)(.*)$`, 'iu')
const LEADING_SYMBOL = new RegExp(`^${SYMBOL}\\s*`)
/** With what every quantity begins: most texts are ruled out by this alone. */
const START = new RegExp(
  `^(?:[.,]?\\d|[+\\-−–~≈±<>≤≥½¼¾⅓⅔⅛⅜⅝⅞${MONEY_SIGNS}]|US\\$|от|до|не|начиная|более|больше|менее|меньше|свыше|мин|макс|около|примерно|прибл|ок\\.|шамамен|from|starting|at|over|more|less|under|up|min|max|about|approx|ca|${CODES})`,
  'iu',
)
const UNIT = new RegExp(`^(?:${WORD}(?:\\s?\\/\\s?${WORD})?|\\/\\s?${WORD})$`, 'u')
const PER = /(?:^|\s+)(?:за|per)\s+/iu
const SQUARE = /кв\.?\s?м\.?$/iu
const GROUPED = new RegExp(`\\d(?:${GAP}|['’])\\d{3}`, 'u')
/** Parts of a whole, as spreadsheets and phones write them, in thousandths: which sign divides decimals they do not tell. */
const FRACTION = /^(\d{1,6})?\s?([½¼¾⅓⅔⅛⅜⅝⅞])/u
const THOUSANDTHS: Record<string, number> = {
  ...{ '½': 500, '¼': 250, '¾': 750, '⅓': 333, '⅔': 667 },
  ...{ '⅛': 125, '⅜': 375, '⅝': 625, '⅞': 875 },
}
/** More digits do not fit a double, and are codes rather than numbers. */
const DIGITS_MAX = 15
/** Cells that are remembered: each is read several times, and many are the same. */
const KNOWN_MAX = 20_000
const known = new Map<string, Quantity | undefined>()

/** Undefined for what is no number: words, codes such as 007, days of a month, telephone numbers. */
export function readQuantity(cell: string): Quantity | undefined {
  const text = cell.trim()
  if (text.length > 60 || !START.test(text) || !/[\d½¼¾⅓⅔⅛⅜⅝⅞]/u.test(text)) return undefined
  if (known.has(text)) return known.get(text)
  const quantity = read(text)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, quantity)
  return quantity
}

function read(text: string): Quantity | undefined {
  const bare = text.replace(MARKED, '')
  const isMarked = bare !== text
  const { bound, rest } = boundOf(bare.replace(NO_CENTS, ''))
  const whole = rest.replace(NO_NOUGHT, '0')
  const quantity = readFraction(whole) ?? readSingle(whole) ?? readRange(whole)
  if (!quantity || (bound !== 'exact' && quantity.bound === 'range' && bound !== 'at_least')) return undefined
  return { ...quantity, bound: quantity.bound === 'range' ? quantity.bound : bound, isMarked }
}

function boundOf(text: string): { bound: Bound; rest: string } {
  for (const [bound, pattern] of BOUNDS) {
    const found = pattern.exec(text)
    if (found) return { bound, rest: text.slice(found[0].length) }
  }
  const behind = MORE_BEHIND.exec(text)
  return behind ? { bound: 'at_least', rest: text.slice(0, behind.index) } : { bound: 'exact', rest: text }
}

function readSingle(text: string): Omit<Quantity, 'isMarked'> | undefined {
  const found = SINGLE.exec(text)
  if (!found) return undefined
  const [, before = '', number = '', space = '', after = ''] = found
  const digits = plainDigits(number)
  if (digits === undefined) return undefined
  const { scale, rest } = scaleOf(after)
  const unit = unitBehind(rest, space === '' && scale === 1)
  if (unit === undefined || (before && unit && unitOf(before) !== unit)) return undefined
  return {
    digits,
    isGrouped: GROUPED.test(number),
    scale,
    unit: before ? unitOf(before) : unit,
    bound: 'exact',
    isScaled: scale > 1,
  }
}

function readFraction(text: string): Omit<Quantity, 'isMarked'> | undefined {
  const [written, whole = '0', part = ''] = FRACTION.exec(text) ?? []
  if (written === undefined) return undefined
  const digits = Number(whole) * 1000 + (THOUSANDTHS[part] ?? 0)
  const quantity = readSingle(digits + text.slice(written.length))
  return quantity && { ...quantity, scale: quantity.scale / 1000 }
}

/** Its lower end, which nothing is computed of. */
function readRange(text: string): Omit<Quantity, 'isMarked'> | undefined {
  const [, from = '', to = '', rest = ''] = RANGE.exec(text.replace(LEADING_SYMBOL, '')) ?? []
  const [low, high] = [plainDigits(from), plainDigits(to)]
  if (low === undefined || high === undefined) return undefined
  const tail = scaleOf(rest.trim())
  const unit = unitBehind(tail.rest, false)
  if (unit === undefined || Number(low.replace(/[.,]/g, '')) >= Number(high.replace(/[.,]/g, ''))) return undefined
  return { digits: low, isGrouped: false, scale: tail.scale, unit, bound: 'range', isScaled: tail.scale > 1 }
}

function scaleOf(text: string): { scale: number; rest: string } {
  for (const [scale, pattern] of SCALES) {
    const found = pattern.exec(text)
    if (found) return { scale, rest: text.slice(found[0].length).trim() }
  }
  return { scale: 1, rest: text }
}

/** Null where nothing stands there; undefined where what stands there is no unit. */
function unitBehind(written: string, isClose: boolean): string | null | undefined {
  const text = written.replace(PER, '/').replace(SQUARE, 'м2').replace(PER_YEAR, '%')
  if (text === '') return null
  if (!UNIT.test(text)) return undefined
  if (isMonth(text) || (isClose && !mayStandClose(text))) return undefined
  return unitOf(text)
}

/** Without spaces; undefined for a code, and for more digits than fit a double. */
function plainDigits(number: string): string | undefined {
  const digits = number.replace(/[\s\u00a0\u202f\u2009'’]/gu, '').replace(/[−–]/, '-')
  if (/^[+-]?0\d/.test(digits) || /^\+\d{6}/.test(digits)) return undefined
  if (/[.,]\d*[.,]/.test(digits) && !isGroupedBySign(digits)) return undefined
  return digits.replace(/\D/g, '').replace(/^0+/, '').length > DIGITS_MAX ? undefined : digits
}

/** Several signs: groups of three, or lakhs and crores, with at most one other sign behind them. */
function isGroupedBySign(digits: string): boolean {
  return /^[+-]?(?:\d{1,3}(?:(?:\.\d{3})+(?:,\d+)?|(?:,\d{3})+(?:\.\d+)?)|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?)$/.test(
    digits,
  )
}
