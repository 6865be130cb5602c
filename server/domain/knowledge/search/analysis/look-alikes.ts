// The ways in which a code may be written whose letters look alike in two alphabets.
import { LOOK_ALIKES } from '#server/platform/lib/text/look-alikes.ts'

const { cyrillic: CYRILLIC, latin: LATIN } = LOOK_ALIKES
/** Letters of a code that may be of either alphabet; of more, all are of the same. */
const EITHER_MOST = 5

/** Other ways in which a normalised word with a digit may be written, a few letters of it in the other alphabet; none for other words. */
export function lookAlikesOf(word: string): string[] {
  return /\p{N}/u.test(word) ? inEitherAlphabet(word) : []
}

/** The same, also of letters without a digit, as they stand before one. */
export function inEitherAlphabet(word: string): string[] {
  const letters = Array.from(word, (letter) => ({ letter, other: otherOf(letter) }))
  const either = letters.filter(({ other }) => other !== undefined).length
  if (either === 0) return []
  if (either > EITHER_MOST)
    return [LATIN, CYRILLIC].map((alphabet) => allIn(word, alphabet)).filter((all) => all !== word)
  let forms = ['']
  for (const { letter, other } of letters) {
    forms = forms.flatMap((form) => (other === undefined ? [form + letter] : [form + letter, form + other]))
  }
  return forms.slice(1)
}

function otherOf(letter: string): string | undefined {
  return LATIN[CYRILLIC.indexOf(letter)] ?? CYRILLIC[LATIN.indexOf(letter)]
}

function allIn(word: string, alphabet: string): string {
  const from = alphabet === LATIN ? CYRILLIC : LATIN
  return Array.from(word, (letter) => alphabet[from.indexOf(letter)] ?? letter).join('')
}
