// Extracts the facts that can be checked without understanding a text: figures with units, dates, times, addresses and codes. Russian,
// English and Kazakh.
import { isRange } from '#server/platform/lib/text/number-words.ts'
import { factorBetween, type Unit } from './grounding.measures.ts'
import { floorsIn, spelledNumbersIn } from './grounding.spelled.ts'

/** A checkable fact, as written and in a comparable form. */
export type Fact = { text: string } & (
  | { kind: 'number' /** "1.500" may be read in two ways. */; values: number[]; unit: Unit | null }
  | { kind: 'date'; day: number; month: number; year: number | null }
  /** Minutes of the day. */
  | { kind: 'time'; minutes: number }
  /** An address, a phone number, or a code such as "A-17". */
  | { kind: 'code'; key: string }
)

/** Currencies: a price in a table may lack its own. */
const MONEY = new Set<Unit>(['rub', 'usd', 'eur', 'kzt'])

const SPACE = '[ \\u00a0\\u202f\\u2009]'
const word = (pattern: string) => `(?:${pattern})(?!\\p{L})`

const UNITS: [Unit, string][] = [
  ['rub', `₽|${word('руб\\p{L}*|р|rub|rubles?|roubles?')}`],
  ['usd', `\\$|${word('usd|долл\\p{L}*|dollars?')}`],
  ['eur', `€|${word('eur|euros?|евро')}`],
  ['kzt', `₸|${word('kzt|те[нң]ге\\p{L}*|тг|tenge')}`],
  ['percent', `%|${word('процент\\p{L}*|пайыз\\p{L}*|percent|per cent')}`],
  ['minute', word('мин|минут\\p{L}*|min|mins|minutes?')],
  ['month', word('мес|месяц\\p{L}*|ай|months?')],
  ['mm', word('мм|миллиметр\\p{L}*|mm')],
  ['cm', word('см|сантиметр\\p{L}*|cm')],
  ['km', word('км|километр\\p{L}*|km|kilomet\\p{L}*')],
  ['kg', word('кг|килограмм\\p{L}*|kg|kilos?|kilograms?')],
  ['ml', word('мл|миллилитр\\p{L}*|ml')],
  ['hour', word('ч|час|часа|часов|часам|часах|часовой|часового|сағат\\p{L}*|h|hr|hrs|hours?')],
  ['day', word('дн|день|дня|дней|дням|днях|дневн\\p{L}*|сут|суток|күн\\p{L}{0,4}|days?')],
  ['week', word('нед|недел\\p{L}*|апта\\p{L}*|weeks?')],
  ['year', word('год|года|году|лет|годов\\p{L}*|летн\\p{L}*|жыл\\p{L}*|years?')],
  ['g', word('гр|грамм\\p{L}*|grams?')],
  ['m', word('(?<!-)м|метр\\p{L}*|meters?|metres?')],
  ['l', word('л|литр\\p{L}*|lit(?:er|re)s?')],
]
const SIGNS: Record<string, Unit> = { $: 'usd', '€': 'eur', '₽': 'rub', '₸': 'kzt' }
const BETWEEN = `${SPACE}*-?${SPACE}*(?:(?:рабоч|календарн|банковск|полн|жұмыс)\\p{L}*${SPACE}+|(?:business|working|calendar|full)${SPACE}+)?`
const UNIT_AFTER = UNITS.map(([unit, pattern]) => [unit, new RegExp(`^${BETWEEN}(?:${pattern})`, 'iu')] as const)
/** Most figures of a long list have none: one look tells. */
const ANY_UNIT_AFTER = new RegExp(`^${BETWEEN}(?:${UNITS.map(([, pattern]) => pattern).join('|')})`, 'iu')

const ADDRESS =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,255}\.\p{L}{2,}|(?:https?:\/\/|www\.)[^\s<>"')\]]+|(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,7}\.(?:com|ru|рф|net|org|kz|by|uz|io|shop|store|app|me|info|biz|example)(?:\/[^\s<>"')\]]*)?(?![\p{L}\p{N}])/giu
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\d[\d\s\u00a0\u00ad\u2007-\u2015\u202f\u2060\u2212()-]{8,22}\d(?![\p{L}\p{N}])/gu
const MONTHS =
  'январ|феврал|март|апрел|ма[йяе]|июн|июл|август|сентябр|октябр|ноябр|декабр|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const MONTH_NAME = `(?:(?:${MONTHS.split('|').slice(0, 12).join('|')})\\p{L}{0,3}|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?)`
const DATES: {
  pattern: RegExp
  order: ['day' | 'month' | 'year', 'day' | 'month' | 'year', 'day' | 'month' | 'year']
}[] = [
  { pattern: /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/gu, order: ['year', 'month', 'day'] },
  { pattern: /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?!\d)/gu, order: ['day', 'month', 'year'] },
  {
    pattern: new RegExp(
      `(?<!\\d)(\\d{1,2})(?:-?го|-?е|st|nd|rd|th)?${SPACE}+(?:of )?(${MONTH_NAME})(?:,?${SPACE}+(\\d{4})(?!\\d))?`,
      'giu',
    ),
    order: ['day', 'month', 'year'],
  },
  {
    pattern: new RegExp(
      `(?<!\\p{L})(${MONTH_NAME})${SPACE}+(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?:,?${SPACE}+(\\d{4}))?`,
      'giu',
    ),
    order: ['month', 'day', 'year'],
  },
]
const TIME =
  /(?<![\d:.,])([01]?\d|2[0-4]):([0-5]\d)(?!\d)|(?<![\d:.,])(1[0-2]|0?[1-9])(?::([0-5]\d))?\s?([ap])\.?m\b\.?/giu
/** Hours of a half of the day: "до 6 вечера", "кешкі 6-ға дейін". */
const TIME_OF_DAY =
  /(?<![\d:.,])(1[0-2]|[1-9])(?::([0-5]\d))?\s?(?:час\p{L}*\s)?(утра|вечера|(?<=час\p{L}* )дня)(?!\p{L})|(?<!\p{L})(таңғы|кешкі)\s(?:сағат\s)?(1[0-2]|[1-9])(?::([0-5]\d))?(?![\d:])/giu
const AROUND_THE_CLOCK =
  /(?<![\d/])24\s?\/\s?7(?![\d/])|(?<!не )круглосуточн\p{L}*|тәулік бойы|(?:a)?round the clock/giu
/** Between the sides of a thing, 60 × 120, however it is written. */
const TIMES = /(?<=\d)\s{0,2}[xх×*]\s{0,2}(?=\d)/giu
const CODE = /(?<![\p{L}\p{N}])\p{L}{1,6}-?\d[\p{L}\p{N}-]*/gu
const NUMBER = new RegExp(
  `(?<![\\p{L}\\d])\\d{1,3}(?:(?:${SPACE}|[.,'’])\\d{3})+(?!\\d)(?:[.,]\\d{1,2}(?!\\d))?|(?<![\\p{L}\\d])\\d+(?:[.,]\\d+)?`,
  'gu',
)
const SCALES: [RegExp, number][] = [
  [new RegExp(`^${SPACE}*(?:тыс\\p{L}*\\.?|мың|thousand|k(?!\\p{L}))`, 'iu'), 1e3],
  [new RegExp(`^${SPACE}*(?:млн\\.?|миллион\\p{L}*|million|m(?=\\b)(?!\\p{L}))`, 'iu'), 1e6],
  [new RegExp(`^${SPACE}*(?:млрд\\.?|миллиард\\p{L}*|billion)`, 'iu'), 1e9],
]
/** Hundredths of a sum of money, behind it: 489 рублей 50 копеек. */
const HUNDREDTHS = new RegExp(
  `^\\.?${SPACE}*(?:и|and|,)?${SPACE}*(\\d{1,2})${SPACE}*(?:коп(?:\\.|\\p{L}*)|к\\.|тиын\\p{L}*|цент\\p{L}*|cents?)(?!\\p{L})`,
  'iu',
)
/** Units behind a number of thousands: 12 тысяч 900 рублей. */
const REMAINDER = new RegExp(`^${SPACE}*(\\d{1,3})(?![\\d.,:])`, 'u')
/** The other end of a range: "3–5 days" begins with days as well. */
const TO = new RegExp(`^${SPACE}*(?:[-–—]|до|to)${SPACE}*\\d[\\d.,]*`, 'u')
/** Half an hour in minutes, half a year in months. */
const HALVES: Partial<Record<Unit, number>> = { minute: 30, month: 6 }
const HALF =
  /(?<!\p{L})(?:(?<minute>полчаса|получаса|half an hour|жарты сағат)|(?<month>полгода|полугода|half a year|жарты жыл))(?!\p{L})/giu
/** What is left of an hour or a year, behind it: 1 hour 30 minutes. */
const LEFT_OVER: [Unit, Unit, RegExp][] = [
  [
    'hour',
    'minute',
    new RegExp(
      `^\\.?${SPACE}*(?:и|and)?${SPACE}*([1-5]?\\d)${SPACE}*(?:${word('мин|минут\\p{L}*|min|mins|minutes?')})`,
      'iu',
    ),
  ],
  [
    'year',
    'month',
    new RegExp(`^${SPACE}*(?:и|and)?${SPACE}*(1[01]|\\d)${SPACE}*(?:${word('мес|месяц\\p{L}*|ай|months?')})`, 'iu'),
  ],
]
/** "500 г" and not "2026 г." */
const GRAMS = new RegExp(`^${SPACE}?г(?!\\p{L})`, 'u')
const YEARS = { from: 1900, to: 2100 }
/** Numbers that only count the listed items. */
const COUNTER = /(?:шаг|шаге|пункт|пункте|вариант|способ|step|option|item|no\.|№)\s*$/iu

/** Characters before and after a number in which its unit is searched. */
const NEAR = 40

/** All checkable facts of a text, in no particular order. Each character belongs to one fact at most. */
export function factsIn(text: string): Fact[] {
  const facts: Fact[] = []
  let rest = text.replace(/\[\d{1,3}\]/g, ' ').replace(TIMES, (found) => '|'.repeat(found.length))
  const take = (pattern: RegExp, read: (match: RegExpExecArray) => Fact | null) => {
    const kept: string[] = []
    let at = 0
    for (const match of rest.matchAll(pattern)) {
      const fact = read(match)
      if (!fact) continue
      facts.push(fact)
      kept.push(rest.slice(at, match.index), ' '.repeat(match[0].length))
      at = match.index + match[0].length
    }
    rest = kept.join('') + rest.slice(at)
  }
  take(ADDRESS, ([address]) => ({ kind: 'code', text: address, key: plainAddress(address) }))
  take(PHONE, ([phone]) => readPhone(phone))
  for (const { pattern, order } of DATES) take(pattern, (match) => readDate(match, order))
  take(TIME_OF_DAY, readTimeOfDay)
  take(TIME, readTime)
  take(AROUND_THE_CLOCK, ([written]) => ({ kind: 'code', text: written, key: '24/7' }))
  take(CODE, ([code]) => ({ kind: 'code', text: code, key: code.toLowerCase().replaceAll('-', '') }))
  facts.push(...numbersIn(rest), ...spelledIn(rest))
  return facts
}

function numbersIn(text: string): Fact[] {
  let end = 0
  return [...text.matchAll(NUMBER)].flatMap((match): Fact[] => {
    const from = match.index + match[0].length
    if (match.index < end) return []
    const before = text.slice(Math.max(0, match.index - NEAR), match.index)
    if (COUNTER.test(before)) return []
    const { values, length } = scaled(match[0], text.slice(from, from + NEAR))
    const after = text.slice(from + length, from + length + NEAR)
    const sign = SIGNS[before.trimEnd().at(-1) ?? '']
    const unit = sign ?? unitAfter(after.replace(TO, '')) ?? (isGrams(values, after) ? 'g' : null)
    const named = unitText(after, unit)
    const rest = unit ? restOf(unit, after.slice(named.length)) : null
    const written = text.slice(match.index, from + length) + named + (rest?.text ?? '')
    end = match.index + (rest ? written.length : match[0].length + length)
    const whole = { kind: 'number' as const, text: written }
    if (!rest) return [{ ...whole, values, unit }]
    return [{ ...whole, values: values.map((value) => (value * rest.in + rest.count) / rest.divisor), unit: rest.unit }]
  })
}

/** What stands behind a number and its unit and belongs to it: hundredths of money, minutes of an hour, months of a year. */
function restOf(
  unit: Unit,
  after: string,
): { text: string; count: number; in: number; divisor: number; unit: Unit } | null {
  if (MONEY.has(unit)) {
    const hundredths = HUNDREDTHS.exec(after)
    return hundredths && { text: hundredths[0], count: Number(hundredths[1]), in: 100, divisor: 100, unit }
  }
  for (const [larger, smaller, pattern] of LEFT_OVER) {
    const found = unit === larger ? pattern.exec(after) : null
    if (found)
      return { text: found[0], count: Number(found[1]), in: larger === 'hour' ? 60 : 12, divisor: 1, unit: smaller }
  }
  return null
}

function isGrams(values: number[], after: string): boolean {
  return GRAMS.test(after) && !values.some((value) => value >= YEARS.from && value <= YEARS.to)
}

/** What a number says with the thousands behind it and what is left of them, and the length of these. */
function scaled(written: string, after: string): { values: number[]; length: number } {
  const values = valuesOf(written)
  for (const [pattern, factor] of SCALES) {
    const scale = pattern.exec(after)?.[0]
    if (scale === undefined) continue
    const rest = /^\d+$/.test(written) ? REMAINDER.exec(after.slice(scale.length)) : null
    const isOne = rest !== null && factor === 1e3 && unitAfter(after.slice(scale.length + rest[0].length)) !== null
    return {
      values: values.map((value) => value * factor + (isOne ? Number(rest[1]) : 0)),
      length: scale.length + (isOne ? rest[0].length : 0),
    }
  }
  const shared = TO.exec(after)?.[0]
  const beyond = shared === undefined ? undefined : after.slice(shared.length)
  const factor = SCALES.find(([pattern]) => beyond !== undefined && pattern.test(beyond))?.[1] ?? 1 // "5–7 thousand"
  return { values: values.map((value) => value * factor), length: 0 }
}

/** Numbers in words, where a unit follows: "two" alone only counts listed items. */
function spelledIn(text: string): Fact[] {
  const halves = [...text.matchAll(HALF)].flatMap(({ 0: written, groups = {} }): Fact[] => {
    const [[unit, value] = []] = Object.entries(HALVES).filter(([name]) => groups[name] !== undefined)
    return unit && value ? [{ kind: 'number', text: written, values: [value], unit: unit as Unit }] : []
  })
  const whole = spelledNumbersIn(text).flatMap(({ value, from, to }): Fact[] => {
    const after = text.slice(to, to + NEAR)
    const unit = unitAfter(after)
    return unit ? [{ kind: 'number', text: text.slice(from, to) + unitText(after, unit), values: [value], unit }] : []
  })
  const floors = floorsIn(text).map(({ value, from, to }): Fact => {
    return { kind: 'number', text: text.slice(from, to), values: [value], unit: null }
  })
  return [...halves, ...whole, ...floors]
}

/** "1 500" is one value, "1.500" may be a thousand and a half or one and a half. */
function valuesOf(written: string): number[] {
  const plain = written.replace(/[ \u00a0\u202f\u2009'’]/g, '')
  const readings = new Set<number>([Number(plain.replace(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.'))])
  if ((plain.match(/[.,]/g) ?? []).length === 1) readings.add(Number(plain.replace(',', '.')))
  return [...readings].filter((value) => Number.isFinite(value))
}

function unitAfter(after: string): Unit | null {
  if (!ANY_UNIT_AFTER.test(after)) return null
  return UNIT_AFTER.find(([, pattern]) => pattern.test(after))?.[0] ?? null
}

function unitText(after: string, unit: Unit | null): string {
  const pattern = UNIT_AFTER.find(([name]) => name === unit)?.[1]
  return pattern?.exec(after)?.[0] ?? ''
}

function plainAddress(address: string): string {
  return address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[./,;:!?]+$/, '')
}

function readPhone(phone: string): Fact | null {
  const digits = phone.replace(/\D/g, '')
  if (isRange(phone)) return null
  const isPhone = phone.startsWith('+') || phone.includes('(') || (digits.length === 11 && /^[78]/.test(digits))
  if (!isPhone || digits.length < 10) return null
  return { kind: 'code', text: phone.trim(), key: digits.slice(-10) }
}

function readDate(match: RegExpExecArray, order: ('day' | 'month' | 'year')[]): Fact | null {
  const read = { day: 0, month: 0, year: null as number | null }
  order.forEach((part, index) => {
    const written = match[index + 1]
    if (written === undefined) return
    if (part === 'year') read.year = Number(written.length === 2 ? `20${written}` : written)
    else read[part] = /^\d/.test(written) ? Number(written) : monthOf(written)
  })
  const isDate = read.day >= 1 && read.day <= 31 && read.month >= 1 && read.month <= 12
  return isDate ? { kind: 'date', text: match[0], ...read } : null
}

function monthOf(name: string): number {
  return (MONTHS.split('|').findIndex((start) => new RegExp(`^${start}`, 'iu').test(name)) % 12) + 1
}

function readTime(match: RegExpExecArray): Fact {
  const [text, hour, minute, hourOfHalf, minuteOfHalf, half] = match
  const minutes = half
    ? ((Number(hourOfHalf) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + Number(minuteOfHalf ?? 0)
    : Number(hour) * 60 + Number(minute)
  return { kind: 'time', text, minutes }
}

function readTimeOfDay(match: RegExpExecArray): Fact {
  const [text, hour, minute, half, kazakhHalf, kazakhHour, kazakhMinute] = match
  const isAfternoon = /^(?:вечера|дня|кешкі)$/iu.test(half ?? kazakhHalf ?? '')
  const hours = (Number(hour ?? kazakhHour) % 12) + (isAfternoon ? 12 : 0)
  return { kind: 'time', text, minutes: hours * 60 + Number(minute ?? kazakhMinute ?? 0) }
}

/** Whether a fact of an answer matches one of a source. Missing details, such as the year of a date, match. */
export function isSameFact(stated: Fact, given: Fact): boolean {
  if (stated.kind === 'code' || given.kind === 'code') {
    return stated.kind === 'code' && given.kind === 'code' && stated.key === given.key
  }
  if (stated.kind === 'date' && given.kind === 'date') {
    const isSameYear = stated.year === null || given.year === null || stated.year === given.year
    return stated.day === given.day && stated.month === given.month && isSameYear
  }
  if (stated.kind === 'time' && given.kind === 'time') return stated.minutes === given.minutes
  if (stated.kind === 'number' && given.kind === 'number') {
    const isSameUnit = stated.unit === null || given.unit === null || stated.unit === given.unit
    const factor = isSameUnit ? 1 : factorBetween(stated.unit, given.unit)
    return (
      factor !== null && stated.values.some((value) => given.values.some((other) => isClose(value * factor, other)))
    )
  }
  if (stated.kind === 'date') return false
  return plainNumbers(stated).some((value) => plainNumbers(given).includes(value))
}

function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 * Math.abs(other)
}

/** Whether a fact is a sum of money. */
export function isMoney(fact: Fact): boolean {
  return fact.kind === 'number' && fact.unit !== null && MONEY.has(fact.unit)
}

/** Bare numbers as which a fact may appear elsewhere: "10:00" as "from 10", "15 March" as "15–20 March". */
function plainNumbers(fact: Fact): number[] {
  switch (fact.kind) {
    case 'number':
      return fact.unit === null || fact.unit === 'year' || fact.unit === 'hour' ? fact.values : []
    case 'time':
      return fact.minutes % 60 === 0 ? [fact.minutes / 60] : []
    case 'date':
      return fact.year === null ? [fact.day] : [fact.day, fact.year]
    case 'code':
      return []
    default:
      return fact satisfies never
  }
}

/** Whether two facts may be different values of the same property: two prices, two times. */
export function isSameKind(one: Fact, other: Fact): boolean {
  if (one.kind !== other.kind) return false
  if (one.kind !== 'number' || other.kind !== 'number') return one.kind !== 'code'
  if (one.unit === null) return false
  return (
    one.unit === other.unit ||
    (other.unit === null ? MONEY.has(one.unit) : factorBetween(one.unit, other.unit) !== null)
  )
}
