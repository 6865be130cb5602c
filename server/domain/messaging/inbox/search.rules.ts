// The input of the inbox search as queries, and its results as they are shown.
import { foldKazakh } from '#server/platform/lib/text/kazakh.ts'
import { evenDigits, phoneDigits } from '#server/platform/lib/text/number-words.ts'
import { toCyrillic, toLatin } from '#server/platform/lib/text/transliterate.ts'

/** Markers that the database puts around a word that was found: characters that no text has. */
export const MARKS = { start: '\uE000', stop: '\uE001' } as const
const WORDS_MAX = 8
/** Shorter words in the other alphabet begin too many names. */
const TRANSLITERATED_LEAST = 3
/** Endings of names that letter by letter come out as no one writes them. */
const LATIN_ENDINGS: [RegExp, string][] = [
  [/iya$/, 'ia'],
  [/iy$/, 'y'],
  [/yy$/, 'y'],
]
const CYRILLIC_ENDINGS: [RegExp, string][] = [
  [/иа$/, 'ия'],
  [/(?<=[бвгджзклмнпрстфхцчшщ])й$/, 'ий'],
]

/** An e-mail address is one word of an index, and so is a user name with dots and the typed beginning of either. */
const WORD = /[\p{L}\p{N}_.+-]+@[\p{L}\p{N}_.-]*|[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/gu

/** The query for contacts: each word the beginning of one of theirs, or all of it the end of a number of theirs; null: there is no word. */
export function nameQuery(typed: string): string | null {
  const words =
    evenLetters(evenDigits(typed.normalize('NFC')))
      .match(WORD)
      ?.slice(0, WORDS_MAX) ?? []
  if (words.length === 0) return null
  const named = words.map(beginning).join(' & ')
  const number = phoneQuery(typed)
  return number === null ? named : `(${named}) | ${number}`
}

/** The query for a word or its beginning, in either alphabet. */
function beginning(word: string): string {
  const ways = [...new Set([word, ...inOtherAlphabet(word)])].map((way) => `'${way}':*`)
  return ways.length === 1 ? (ways[0] ?? '') : `(${ways.join(' | ')})`
}

/** A name in the other alphabet: letter by letter, and with the ending that is usual there. Empty for what is no name. */
function inOtherAlphabet(word: string): string[] {
  if (word.length < TRANSLITERATED_LEAST) return []
  if (/^[а-я]+$/.test(word)) return withEnding(toLatin(word), LATIN_ENDINGS)
  return /^[a-z]+$/.test(word) ? withEnding(toCyrillic(word), CYRILLIC_ENDINGS) : []
}

function withEnding(word: string, endings: [RegExp, string][]): string[] {
  return [word, endings.reduce((text, [ending, by]) => text.replace(ending, by), word)]
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
