// Text → terms of the index: stems of its words, Kazakh ones of what is Kazakh, and its numbers as words of their own.
import { countKazakhWords, kazakhStem } from '#server/platform/lib/text/kazakh.ts'
import { numberWordsIn } from '#server/platform/lib/text/number-words.ts'
import { stem } from './stem.ts'
import { isStopWord } from './stop-words.ts'
import { countedIn, hyphenatedIn, wordsOf } from './words.ts'

/** To be raised with every change of what terms a text has: segments made before are made again. */
export const WORDS_VERSION = 5
/** Pieces of a brand that are written apart: `Wi Fi`. */
const PIECE_MAX = 3

/** The terms by which a text is found, in no order that matters. */
export function termsOf(text: string): string[] {
  return [...text.split('\n').flatMap(termsOfLine), ...numberWordsIn(text)]
}

/**
 * Words of a Kazakh line stand under their Russian stem as well: which of the two languages a single word is in cannot be known, and a
 * question in Russian knows nothing but Russian stems.
 */
function termsOfLine(line: string): string[] {
  const words = wordsOf(line)
  const stems = words.map(stem)
  return [
    ...stems,
    ...joinedPieces(words),
    ...[...hyphenatedIn(line), ...countedIn(line)].map(stem),
    ...(countKazakhWords(line) > 0 ? kazakhTerms(words, stems) : []),
  ]
}

function kazakhTerms(words: string[], stems: string[]): string[] {
  return words.flatMap((word, at) => {
    const own = kazakhTermOf(word)
    return own === null || own === stems[at] ? [] : [own]
  })
}

/** The Kazakh stem of a normalised word; null where it is no Cyrillic word. */
export function kazakhTermOf(word: string): string | null {
  return /^[а-яё]+$/.test(word) ? kazakhStem(word) : null
}

function joinedPieces(words: string[]): string[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1]
    return next !== undefined && arePieces(word, next) ? [stem(word + next)] : []
  })
}

/** `wi fi`, `e mail`, `t shirt`: Latin words so short that they are hardly words. */
function arePieces(word: string, next: string): boolean {
  if (!/^[a-z]+$/.test(word) || !/^[a-z]+$/.test(next) || isStopWord(word) || isStopWord(next)) return false
  return word.length === 1 || (word.length <= PIECE_MAX && next.length <= PIECE_MAX)
}
