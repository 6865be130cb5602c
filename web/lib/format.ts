// Numbers, money, sizes and moments in the language on screen.
import { currentLanguage } from './i18n.ts'

const locale = () => (currentLanguage() === 'en' ? 'en-GB' : 'ru-RU')

/** Cached: creating one takes as long as rendering a row, and a scrolled list needs several per row. */
const dateFormats = new Map<string, Intl.DateTimeFormat>()
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>()

/** 12 345 in Russian, 12,345 in English; no decimals unless asked for. */
export function formatNumber(value: number, maximumFractionDigits = 0): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits }).format(value)
}

/** A score of 0 to 1 with two decimals: 0,70 in Russian, 0.70 in English. */
export function formatScore(value: number): string {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)
}

/** A non-breaking space. */
const NO_BREAK = '\u00a0'

/** Keeps a number and its unit on one line. */
function withUnit(text: string): string {
  return text.replace(/(?<=\d) (?=\p{L})/gu, NO_BREAK)
}

/** The smallest amount that four decimals can show. */
const SMALLEST_COST_USD = 0.0001

/** US dollars with four decimals, or fewer for amounts entered by a user. */
export function formatUsd(value: number, minimumFractionDigits = 4): string {
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits,
  }).format(value)
}

/** A cost in US dollars: a positive one is never shown as zero. */
export function formatCost(usd: number): string {
  return usd > 0 && usd < SMALLEST_COST_USD ? `<${NO_BREAK}${formatUsd(SMALLEST_COST_USD)}` : formatUsd(usd)
}

/** A price in whole units of a currency: 50 000 ₸ in Russian, ₸50,000 in English. */
export function formatPrice(value: number, currency: string): string {
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  }).format(value)
}

/** A currency by name and code: «казахстанский тенге, KZT». */
export function formatCurrency(currency: string): string {
  const name = new Intl.DisplayNames(locale(), { type: 'currency' }).of(currency)
  return `${name}, ${currency}`
}

/** Share 0 to 1 as a whole percentage. */
export function formatPercent(share: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(share)
}

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Bytes in a fitting unit: 1.4 MB, 1,4 МБ. */
export function formatBytes(bytes: number): string {
  const step = Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const unit = SIZE_UNITS[step] ?? 'byte'
  const format = new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step > 1 ? 1 : 0,
  })
  return withUnit(format.format(bytes / 1024 ** step))
}

/** Seconds with one decimal below ten, milliseconds below a tenth: 42 ms, 0.8 s, 12 s. */
export function formatDuration(milliseconds: number): string {
  const isShort = milliseconds < 100
  const value = isShort ? milliseconds : milliseconds / 1000
  const format = new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: isShort ? 'millisecond' : 'second',
    unitDisplay: 'narrow',
    maximumFractionDigits: !isShort && value < 10 ? 1 : 0,
  })
  return withUnit(format.format(value))
}

/** The two largest units of a length, from seconds to days: 42 s, 3 min 5 s, 2 h 10 min, 3 days 4 h. */
export function formatLength(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  const at = LENGTH_UNITS.findIndex(([, size]) => seconds >= size)
  const units = LENGTH_UNITS.slice(at < 0 ? -1 : at).slice(0, 2)
  let left = seconds
  const parts = units.map(([unit, size], order) => {
    const count = Math.floor(left / size)
    left -= count * size
    return order > 0 && count === 0 ? '' : unitText(count, unit)
  })
  return parts.filter(Boolean).join(' ')
}

const LENGTH_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

function unitText(count: number, unit: string): string {
  return withUnit(new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'short' }).format(count))
}

const SPAN_UNITS = [
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A duration in the largest unit that divides it: 30 minutes, 12 hours, 2 days, 1 week. */
export function formatSpan(milliseconds: number): string {
  const fits = ([, unitMs]: readonly [string, number]) => milliseconds >= unitMs && milliseconds % unitMs === 0
  const [unit, unitMs] = SPAN_UNITS.find(fits) ?? SPAN_UNITS[3]
  const format = new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' })
  return withUnit(format.format(Math.round(milliseconds / unitMs)))
}

const STYLES = {
  /** 21 Nov 2026, 14:30 */
  medium: { dateStyle: 'medium', timeStyle: 'short' },
  /** with weekday, seconds and zone */
  full: { dateStyle: 'full', timeStyle: 'long' },
  date: { dateStyle: 'medium' },
  time: { timeStyle: 'short' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

/** The time zone that the reader has chosen; undefined: the browser's. */
let shownTimeZone: string | undefined

/** Shows moments in a time zone from now on; empty: in the browser's. */
export function setShownTimeZone(timeZone: string): void {
  shownTimeZone = timeZone || undefined
}

/** The time zone that the reader has chosen; undefined: the browser's. */
export function timeZoneShown(): string | undefined {
  return shownTimeZone
}

/** A moment in the reader's time zone, or in the given one. */
export function formatDateTime(
  at: number,
  style: keyof typeof STYLES = 'medium',
  timeZone: string | undefined = shownTimeZone,
): string {
  // The time zone can change while the page is open: the offset in the key keeps formats of the old one from being used.
  const zone = timeZone ?? String(new Date().getTimezoneOffset())
  return kept(dateFormats, `${locale()} ${style} ${zone}`, () => {
    return new Intl.DateTimeFormat(locale(), { ...STYLES[style], ...(timeZone && { timeZone }) })
  }).format(at)
}

function relativeFormat(): Intl.RelativeTimeFormat {
  return kept(relativeFormats, locale(), () => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }))
}

function kept<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const known = formats.get(key)
  if (known) return known
  const made = make()
  formats.set(key, made)
  return made
}

/** A moment of today by its time alone, any other with its date. */
export function formatMoment(at: number, now: number): string {
  return formatDateTime(at, startOfDay(at) === startOfDay(now) ? 'time' : 'medium')
}

const RELATIVE_STEPS: [limitMs: number, unitMs: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [3_600_000, 60_000, 'minute'],
  [86_400_000, 3_600_000, 'hour'],
  [7 * 86_400_000, 86_400_000, 'day'],
]

/** "now", "3 minutes ago", "yesterday"; a date from a week on. */
export function formatRelative(at: number, now: number): string {
  const distance = at - now
  const relative = relativeFormat()
  if (Math.abs(distance) < 60_000) return relative.format(0, 'second')
  const step = RELATIVE_STEPS.find(([limit]) => Math.abs(distance) < limit)
  return step ? withUnit(relative.format(Math.round(distance / step[1]), step[2])) : formatDateTime(at, 'date')
}

/** "today", "yesterday", otherwise the date; in the reader's time zone. */
export function formatDay(at: number, now: number): string {
  const days = Math.round((startOfDay(at) - startOfDay(now)) / 86_400_000)
  if (days < -1 || days > 0) return formatDateTime(at, 'date')
  return relativeFormat().format(days, 'day')
}

/** An instant that is the same for all moments of a day where the reader is. */
function startOfDay(at: number): number {
  if (!shownTimeZone) return new Date(at).setHours(0, 0, 0, 0)
  const format = kept(dateFormats, `day ${shownTimeZone}`, () => {
    return new Intl.DateTimeFormat('en-CA', { timeZone: shownTimeZone, dateStyle: 'short' })
  })
  return Date.parse(format.format(at))
}

const DAY_STYLES = {
  /** 1 Dec */
  short: { day: 'numeric', month: 'short' },
  /** 1 December */
  long: { day: 'numeric', month: 'long' },
  /** 1 Dec 2026 */
  year: { dateStyle: 'medium' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

/** A day of a calendar, `YYYY-MM-DD`. */
export function formatCalendarDay(day: string, style: keyof typeof DAY_STYLES = 'short'): string {
  return kept(dateFormats, `${locale()} calendar ${style}`, () => {
    return new Intl.DateTimeFormat(locale(), { ...DAY_STYLES[style], timeZone: 'UTC' })
  }).format(Date.parse(day))
}

/** A month of a calendar, `YYYY-MM`: November 2026, Nov 2026. */
export function formatMonth(month: string, style: 'long' | 'short' = 'long'): string {
  return kept(dateFormats, `${locale()} month ${style}`, () => {
    return new Intl.DateTimeFormat(locale(), { month: style, year: 'numeric', timeZone: 'UTC' })
  }).format(Date.parse(month))
}

/** A day of the week, 0 for Monday: Mon, Monday. */
export function weekdayName(day: number, style: 'short' | 'long' = 'short'): string {
  const monday = Date.UTC(2024, 0, 1)
  return new Intl.DateTimeFormat(locale(), { weekday: style, timeZone: 'UTC' }).format(monday + day * 86_400_000)
}

/** Keeps a short text on one line: a number and what it counts. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', NO_BREAK)
}
