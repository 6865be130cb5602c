// The input of the inbox search as queries, and its results as they are shown.
import { foldKazakh } from '#server/platform/lib/text/kazakh.ts'
import { phoneDigits } from '#server/platform/lib/text/number-words.ts'

/** Markers that the database puts around a word that was found: characters that no text has. */
export const MARKS = { start: '\uE000', stop: '\uE001' } as const
const WORDS_MAX = 8

/** An e-mail address is one word of an index, and so is a user name with dots and the typed beginning of either. */
const WORD = /[\p{L}\p{N}_.+-]+@[\p{L}\p{N}_.-]*|[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/gu

/** The query for contacts: each word the beginning of one of theirs, or all of it the end of a number of theirs; null: there is no word. */
export function nameQuery(typed: string): string | null {
  const words = evenLetters(typed).match(WORD)?.slice(0, WORDS_MAX) ?? []
  if (words.length === 0) return null
  const named = words.map((word) => `'${word}':*`).join(' & ')
  const number = phoneQuery(typed)
  return number === null ? named : `(${named}) | ${number}`
}

/** Small letters, and Russian ones in the place of ё and the Kazakh ones, as the function `even_letters` of the database has it. */
export function evenLetters(text: string): string {
  return foldKazakh(text.toLowerCase().replaceAll('ё', 'е'))
}

/**
 * The query for a telephone number, as the indexes hold it (function `phone_words`); null: what was typed is none. A code of a country, and what is
 * dialled instead of it at home, are beyond the digits that are compared.
 */
export function phoneQuery(typed: string): string | null {
  const digits = phoneDigits(typed)
  return digits === null ? null : `'tel${[...digits].reverse().join('')}':*`
}

/** A text with marks as pieces, each found or not. */
export function toPieces(marked: string): { text: string; isMatch: boolean }[] {
  return marked.split(MARKS.start).flatMap((part, index) => {
    const [found = '', rest = ''] = index === 0 ? ['', part] : split(part)
    return [
      { text: found, isMatch: true },
      { text: rest, isMatch: false },
    ].filter(({ text }) => text !== '')
  })
}

function split(part: string): [string, string] {
  const at = part.indexOf(MARKS.stop)
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
}
