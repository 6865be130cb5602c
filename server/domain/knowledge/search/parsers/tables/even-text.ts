// Texts of a table as a question is compared with them: `М8` in either alphabet, 3,5х35 and 3.5x35, «ли м.ю.» and Ли М. Ю. are the same.
// The database evens out cells by the same rules, in tables.query.store.ts.
import { phoneDigits } from '#server/platform/lib/text/number-words.ts'
import { soundOf } from '#server/platform/lib/text/word-sounds.ts'
import { gramsOf } from '../../analysis/grams.ts'
import { foldText } from './cell-values.ts'

/** Letters of two alphabets that look alike, and Kazakh ones with those that are typed in their place; small ones. */
export const LOOKALIKES = { from: 'авекмнорстухіё×әғқңөұүһи', to: 'abekmhopctyxiexaгkhoyyxi' } as const
/** Regular expressions, each with what takes the place of its matches, in this order. Both engines read them alike. */
export const EVENING: readonly (readonly [pattern: string, by: string])[] = [
  ['(?<=[0-9])\\s*[x*]\\s*(?=[0-9])', 'x'],
  ['(?<=[0-9]),(?=[0-9])', '.'],
  ['[\\s_"\'`«»„“”‘’(){},;:!?…\\u2010-\\u2015\\u2212-]+', ' '],
  ['\\.(?![0-9])|(?<![0-9])\\.', ' '],
  ['(?<=[0-9])\\s+(?=[^0-9\\s])|(?<=[^0-9\\s])\\s+(?=[0-9])', ''],
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

/** @param text folded as `foldText` does, or not at all */
export function evenText(text: string): string {
  const letters = Array.from(foldText(text), (letter) => {
    const at = LOOKALIKES.from.indexOf(letter)
    return at < 0 ? letter : (LOOKALIKES.to[at] ?? letter)
  })
  return PATTERNS.reduce((evened, [pattern, by]) => evened.replace(pattern, by), letters.join('')).trim()
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
  const wanted = piecesOf(text)
  const rated = [...new Set(values)].map((value) => ({
    value,
    alike: Math.max(soundsLike(text, value) ? 1 : 0, alikeness(wanted, piecesOf(value))),
  }))
  const near = rated.filter(({ alike }) => alike >= LEAST_ALIKE).sort((a, b) => b.alike - a.alike)
  return near.slice(0, NEAR_MAX).map(({ value }) => value)
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

function piecesOf(text: string): Set<string> {
  return new Set(evenText(text).split(' ').flatMap(gramsOf))
}

/** How much of the wanted pieces the others hold; a little less the more they hold besides. */
function alikeness(wanted: Set<string>, other: Set<string>): number {
  let shared = 0
  for (const piece of wanted) if (other.has(piece)) shared += 1
  return wanted.size === 0 ? 0 : shared / (wanted.size + 0.1 * Math.max(0, other.size - shared))
}
