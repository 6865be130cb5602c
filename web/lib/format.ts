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

/** A moment in the reader's time zone, or in the given one. */
export function formatDateTime(at: number, style: keyof typeof STYLES = 'medium', timeZone?: string): string {
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

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
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
