// Texts of a table as a question is compared with them: `М8` in either alphabet, 3,5х35 and 3.5x35, «ли м.ю.» and Ли М. Ю. are the same.
// The database evens out cells by the same rules, in tables.query.store.ts.
import { gramsOf } from '../../analysis/grams.ts'
import { foldText } from './cell-values.ts'

/** Letters of two alphabets that look alike, small ones. */
export const LOOKALIKES = { from: 'авекмнорстухіё×', to: 'abekmhopctyxiex' } as const
/** Regular expressions, each with what takes the place of its matches, in this order. Both engines read them alike. */
export const EVENING: readonly (readonly [pattern: string, by: string])[] = [
  ['(?<=[0-9])\\s*[x*]\\s*(?=[0-9])', 'x'],
  ['(?<=[0-9]),(?=[0-9])', '.'],
  ['[\\s_"\'`«»„“”‘’(){},;:!?…–—-]+', ' '],
  ['\\.(?![0-9])|(?<![0-9])\\.', ' '],
  ['(?<=[0-9])\\s+(?=[^0-9\\s])|(?<=[^0-9\\s])\\s+(?=[0-9])', ''],
  ['\\s+', ' '],
]
const PATTERNS = EVENING.map(([pattern, by]) => [new RegExp(pattern, 'gu'), by] as const)
/** Values that are alike share so much of their pieces at least. */
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

/** The values that are written most like a text, the nearest first; empty where none is. */
export function nearValues(text: string, values: string[]): string[] {
  const wanted = piecesOf(text)
  const rated = [...new Set(values)].map((value) => ({ value, alike: alikeness(wanted, piecesOf(value)) }))
  const near = rated.filter(({ alike }) => alike >= LEAST_ALIKE).sort((a, b) => b.alike - a.alike)
  return near.slice(0, NEAR_MAX).map(({ value }) => value)
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
