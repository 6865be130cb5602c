// Parses cells as numbers, dates or booleans, in the spellings of Russian and English spreadsheets.

/** How numbers and dates are written in a column. `1,234` and `02/03/2026` mean different things in different columns. */
export type Spelling = 'comma' | 'point' | 'iso' | 'day-first' | 'month-first'

const CURRENCY = /^[₽$€£₸]\s*|\s*(?:[₽$€£₸%]|р\.?|руб(?:\.|лей|ля|ль)?|тг\.?|тенге|rub|usd|eur|kzt)$/iu
const SPACES = /[\s\u00a0\u202f]/g
const GROUPED_BY_SPACE = /^[+-]?\d{1,3}([\s\u00a0\u202f']\d{3})+([.,]\d+)?$/
const NUMBERS = {
  comma: [/^[+-]?\d+([.,]\d+)?$/, GROUPED_BY_SPACE, /^[+-]?\d{1,3}(\.\d{3})+,\d+$/],
  point: [/^[+-]?\d+(\.\d+)?$/, GROUPED_BY_SPACE, /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/],
}
/** A double cannot represent more exactly; longer ones are codes rather than numbers. */
const DIGITS_MAX = 15

/** A dash that means an empty cell. */
export function isDash(cell: string): boolean {
  return /^\s*[-–—]+\s*$/.test(cell)
}

/** Undefined unless a number in that spelling. Codes such as 007 and phone numbers are not numbers. */
export function readNumber(cell: string, spelling: 'comma' | 'point'): number | undefined {
  const bare = cell.trim().replace('−', '-').replace(CURRENCY, '')
  if (!NUMBERS[spelling].some((pattern) => pattern.test(bare))) return undefined
  if (/^[+-]?0\d/.test(bare) || /^\+\d{6}/.test(bare)) return undefined
  const digits = bare.replace(SPACES, '').replaceAll("'", '')
  if (digits.replace(/\D/g, '').replace(/^0+/, '').length > DIGITS_MAX) return undefined
  return Number(withPoint(digits, spelling))
}

function withPoint(digits: string, spelling: 'comma' | 'point'): string {
  if (spelling === 'point') return /,\d{3}(\D|$)/.test(digits) ? digits.replaceAll(',', '') : digits.replace(',', '.')
  return digits.includes(',') ? digits.replaceAll('.', '').replace(',', '.') : digits
}

const TIME = String.raw`(?:[T\s]+(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?Z?)?`
const ISO = new RegExp(String.raw`^(\d{4})-(\d{1,2})-(\d{1,2})${TIME}$`)
const DIVIDED = new RegExp(String.raw`^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})${TIME}$`)
const MONTH_NAMED = /^(\d{1,2})(?:st|nd|rd|th)?\s+(\p{L}{3,})\.?,?\s+(\d{4})(?:\s*г\.?)?$/u
const MONTH_FIRST_NAMED = /^(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u
/** Prefixes that identify the months. */
const MONTHS = [
  'янв|jan|қаңтар',
  'фев|feb|ақпан',
  'мар|mar|наурыз',
  'апр|apr|сәуір',
  'ма[йя]|may|мамыр',
  'июн|jun|маусым',
]
  .concat([
    'июл|jul|шілде',
    'авг|aug|тамыз',
    'сен|sep|қыркүйек',
    'окт|oct|қазан',
    'ноя|nov|қараша',
    'дек|dec|желтоқсан',
  ])
  .map((month) => new RegExp(`^(?:${month})`, 'i'))

/** `2026-02-01`, followed by `T10:30` where the cell has a time; undefined unless a date in that spelling. */
export function readDate(cell: string, spelling: 'iso' | 'day-first' | 'month-first'): string | undefined {
  const text = cell.trim()
  if (spelling === 'iso') {
    const iso = ISO.exec(text)
    return iso ? dateOf(iso[1], iso[2], iso[3], iso[4], iso[5]) : undefined
  }
  const named = MONTH_NAMED.exec(text)
  if (named) return dateOf(named[3], monthOf(named[2]), named[1])
  const monthFirst = MONTH_FIRST_NAMED.exec(text)
  if (monthFirst) return dateOf(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2])
  const parts = DIVIDED.exec(text)
  if (!parts) return undefined
  const [, first, second, year, hour, minute] = parts
  const full = year?.length === 2 ? `20${year}` : year
  return spelling === 'day-first'
    ? dateOf(full, second, first, hour, minute)
    : dateOf(full, first, second, hour, minute)
}

/** Whether a word is the name of a month, or begins as one. */
export function isMonth(word: string): boolean {
  return word.length > 2 && MONTHS.some((month) => month.test(word))
}

function monthOf(name = ''): string {
  return String(MONTHS.findIndex((month) => month.test(name)) + 1)
}

/** Undefined for a day that no calendar has. */
function dateOf(year?: string, month?: string, day?: string, hour?: string, minute?: string): string | undefined {
  const time = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0)))
  if (!Number.isFinite(time.getTime())) return undefined
  const isSame = time.getUTCMonth() === Number(month) - 1 && time.getUTCDate() === Number(day)
  if (!isSame || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59) return undefined
  const iso = time.toISOString()
  return Number(hour ?? 0) + Number(minute ?? 0) === 0 ? iso.slice(0, 10) : iso.slice(0, 16)
}

const YES = new Set(['да', 'yes', 'true', 'истина'])
const NO = new Set(['нет', 'no', 'false', 'ложь'])

/** Undefined unless a yes or a no. */
export function readBoolean(cell: string): boolean | undefined {
  const word = cell.trim().toLowerCase()
  return YES.has(word) ? true : NO.has(word) ? false : undefined
}

/** Normalizes a text for comparison: without case and spaces, and with е for ё. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е').replace(/\s+/g, ' ').trim()
}
