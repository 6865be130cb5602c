// Texts of a table as a question is compared with them: `М8` in either alphabet, 3,5х35 and 3.5x35, «ли м.ю.» and Ли М. Ю. are the same.
// The database evens out cells by the same rules, in tables.query.store.ts.
import { LOOK_ALIKES } from '#server/platform/lib/text/look-alikes.ts'
import { phoneDigits } from '#server/platform/lib/text/number-words.ts'
import { editDistance } from '#server/platform/lib/text/word-distance.ts'
import { soundOf } from '#server/platform/lib/text/word-sounds.ts'
import { gramsOf } from '../../analysis/grams.ts'
import { foldText } from './cell-values.ts'

/** Small letters with marks that few keyboards have (é, ş), with the letter that is typed in their place. */
const MARKED = Array.from({ length: 0x17f - 0xe0 }, (_, at) => String.fromCharCode(0xe0 + at))
  .map((letter) => ({ letter, plain: letter.normalize('NFD').charAt(0) }))
  .filter(({ letter, plain }) => letter === letter.toLowerCase() && letter !== plain)
/** Marked letters whose plain one is itself written as another. */
const PLAIN: Record<string, string> = { g: 'г', l: 'л' }

/**
 * Letters of two alphabets that look alike, and Kazakh ones with those that are typed in their place; small ones. Signs of multiplication, Latin
 * letters of units (kg, l), as they are mostly written, and letters with marks without them.
 */
export const LOOKALIKES = {
  from: `${LOOK_ALIKES.cyrillic}іё×⨯✕✖glәғқңөұүһиøłı${MARKED.map(({ letter }) => letter).join('')}`,
  to: `${LOOK_ALIKES.latin}iexxxxглaгkhoyyxioлi${MARKED.map(({ plain }) => PLAIN[plain] ?? plain).join('')}`,
} as const
/** Before a number that is no decimal one: clause 3.10 is not 3.1. Its letters as they are evened out. */
const NUMBERED = 'п пп пункт раздел глава ст статья версия v ver version section clause'
  .split(' ')
  .map((word) => Array.from(word, evenLetter).join(''))
  .join('|')
/** A decimal number up to its point: day 05.10 and version 1.2.10 are none. */
const DECIMAL = `(?<=(?:^|[^0-9.])(?:0|[1-9][0-9]*))(?<!(?:^|[^a-zа-я])(?:${NUMBERED})[. ]{0,2}[0-9]+)\\.`
/** ½ next to a number or alone, in one sign or in three. */
const fraction = (part: string, by: string): [string, string] => [
  `(?<=[0-9]) ?${part.replace('/', '⁄')}|(?:(?<=[0-9]) |(?<![0-9/.]))${part.replace('/', '[⁄/]')}(?![0-9/])`,
  by,
]
/** Regular expressions, each with what takes the place of its matches, in this order. Both engines read them alike. */
export const EVENING: readonly (readonly [pattern: string, by: string])[] = [
  ['(?<![^\\s(«"])(?:no|#)\\.?\\s*(?=[0-9])', ''],
  fraction('1/2', '.5'),
  fraction('1/4', '.25'),
  fraction('3/4', '.75'),
  ['(?<=(?:^|[^0-9.,])[0-9]{1,3}(?:\\s[0-9]{3})*)\\s(?=[0-9]{3}(?![0-9]))', ''],
  ['\\s*[/⁄]\\s*', '/'],
  ['(?<=[0-9])\\s*[x*]\\s*(?=[.,]?[0-9])', 'x'],
  ['(?<![0-9])[.,](?=[0-9])(?<=(?:^|[ x])[.,])', '0.'],
  ['(?<=[0-9]),(?=[0-9])', '.'],
  [`${DECIMAL}(?:00?(?![0-9]|\\.[0-9]))`, ''],
  [`(?<=${DECIMAL}[1-9])0(?![0-9]|\\.[0-9])`, ''],
  ['[\\s_"\'`«»„“”‘’(){},;:!?…\\u2010-\\u2015\\u2212-]+', ' '],
  ['\\.(?![0-9])|(?<![0-9])\\.', ' '],
  ['(?<=[0-9])\\s+(?=[^0-9\\s])|(?<=[^0-9\\s])\\s+(?=[0-9])', ''],
  ['(?<=[0-9])w(?![a-z0-9])', 'bt'],
  ['(?<=[0-9])v(?![a-z0-9])', 'b'],
  ['\\s+', ' '],
]
const PATTERNS = EVENING.map(([pattern, by]) => [new RegExp(pattern, 'gu'), by] as const)
/** What stands between two words of an evened text. */
export const WORD_GAP = '(?<=[^0-9 ]) (?=[^0-9 ])'
/** Shorter texts stand across the border of two words too often. */
const JOINED_LEAST = 4
/** Numbers with fewer digits are searched as written. */
const NUMBER_LEAST = 6
/** Minimum share of common pieces of similar values. */
const LEAST_ALIKE = 0.3
const NEAR_MAX = 5
/** Letters of a text of which most pieces are its borders. */
const SHORT = 3

/** @param text folded as `foldText` does, or not at all */
export function evenText(text: string): string {
  const letters = Array.from(foldText(text), evenLetter).join('')
  return PATTERNS.reduce((evened, [pattern, by]) => evened.replace(pattern, by), letters).trim()
}

/** A letter as another that looks like it, or is typed in its place. */
export function evenLetter(letter: string): string {
  const at = LOOKALIKES.from.indexOf(letter)
  return at < 0 ? letter : (LOOKALIKES.to[at] ?? letter)
}

/** The words of an evened text in one piece: `wifi` for `wi fi`; null where that would be found everywhere. */
export function joinWords(evened: string): string | null {
  const joined = evened.replace(new RegExp(WORD_GAP, 'gu'), '')
  return joined.length >= JOINED_LEAST && /^[^0-9]+$/u.test(joined) ? joined : null
}

/** The last digits of a telephone or another long number, for comparison; null where a text is none. */
export function longNumberIn(text: string): string | null {
  const digits = phoneDigits(text)
  return digits !== null && digits.length >= NUMBER_LEAST ? digits : null
}

/** The values that are written most like a text, the nearest first; empty where none is. */
export function nearValues(text: string, values: string[]): string[] {
  const evened = evenText(text)
  const wanted = piecesOf(evened)
  const rated = [...new Set(values)].map((value) => {
    const other = evenText(value)
    const written = Math.max(alikeness(wanted, piecesOf(other)), alikenessOfShort(evened, other))
    return { value, alike: Math.max(soundsLike(text, value) ? 1 : 0, written) }
  })
  const near = rated.filter(({ alike }) => alike >= LEAST_ALIKE).sort((a, b) => b.alike - a.alike)
  return near.slice(0, NEAR_MAX).map(({ value }) => value)
}

/** Texts so short have no piece in common with what they begin, or with what differs in one sign: `k1`, `k10` and `k2`. */
function alikenessOfShort(text: string, value: string): number {
  if (text.length < 2 || text.length > SHORT) return 0
  const words = value.split(' ')
  if (words.some((word) => word.startsWith(text))) return LEAST_ALIKE + SHORT / (value.length * 10)
  return words.some((word) => word.charAt(0) === text.charAt(0) && editDistance(word, text) === 1) ? LEAST_ALIKE : 0
}

/** Whether each word of a text sounds like one of a value: «вайфай» and Wi-Fi. */
function soundsLike(text: string, value: string): boolean {
  const heard = (of: string) =>
    [...foldText(of).split(/[^\p{L}\p{N}]+/u), foldText(of).replace(/[-\s]/g, '')].map((word) => soundOf(word)?.key)
  const own = heard(value)
  return foldText(text)
    .split(/[^\p{L}\p{N}-]+/u)
    .every((word) => {
      const key = soundOf(word.replaceAll('-', ''))?.key
      return key !== undefined && own.includes(key)
    })
}

function piecesOf(evened: string): Set<string> {
  return new Set(evened.split(' ').flatMap(gramsOf))
}

/** How much of the wanted pieces the others hold; a little less the more they hold besides. */
function alikeness(wanted: Set<string>, other: Set<string>): number {
  let shared = 0
  for (const piece of wanted) if (other.has(piece)) shared += 1
  return wanted.size === 0 ? 0 : shared / (wanted.size + 0.1 * Math.max(0, other.size - shared))
}
