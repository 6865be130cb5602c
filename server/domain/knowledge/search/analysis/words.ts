// Text → normalised words. One path for indexed texts and queries.
import { foldKazakh } from '#server/platform/lib/text/kazakh.ts'
import { evenDigits } from '#server/platform/lib/text/number-words.ts'
import { toCyrillic } from '#server/platform/lib/text/transliterate.ts'

const COMBINING_MARKS = /[\u0300-\u036f]/g
const WORD = /[\p{L}\p{N}]+/gu
/** Marks within a word that show nothing: where it may be divided, and what editors leave behind. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const JOINED_CODE = /[\p{L}\p{N}]+(?:[\p{Pd}\u2212/._][\p{L}\p{N}]+)+/gu
const JOINTS = /[\p{Pd}\u2212/._]/gu
const HYPHENATED = /^\p{L}+(?:[\p{Pd}\u2212]\p{L}+){1,2}$/u
/** «б/у», «ж/д», «з/п»: words of one letter each, which mean nothing apart. */
const SLASHED = /^\p{L}(?:\/\p{L}){1,2}$/u
/** From one number to another, with a dash. */
const RANGE = /^[\p{N}._]+[\u2012-\u2015\u2212][\p{N}._]+$/u
/** A figure, its ending if it has one, and the word that belongs to it. */
const COUNTED = /(?<![\p{L}\p{N}])(10|[1-9])((?:[\p{Pd}\u2212]?(?:у?х|ти|ми))?[\p{Pd}\u2212\s]?)([а-я]{4,})(?!\p{L})/gu
const ADJECTIVE = /(?:ый|ий|ая|ое|ые|ого|ой|ому|ых|ую|ым|ыми|ом)$/
const COUNTS = ' одно двух трех четырех пяти шести семи восьми девяти десяти'.split(' ')
const DIGIT = /\p{N}/u

/** One writing for each word: compatibility forms, case, ё, Kazakh letters and stress marks are evened out; й survives. */
function normalize(text: string): string {
  return foldKazakh(
    evenDigits(text.normalize('NFKC')).replace(INVISIBLE, '').toLowerCase().replaceAll('ё', 'е'),
  ).replace(COMBINING_MARKS, '')
}

/**
 * The normalised words of a text in order. A code joined by `-`, `/`, `.` or `_` that holds a digit («А-101») gives its parts and, after
 * all words, its joined form («а101»), so that it is found however it is written.
 */
export function wordsOf(text: string): string[] {
  const normal = normalize(text)
  const codes = (normal.match(JOINED_CODE) ?? []).filter((code) => DIGIT.test(code) && !RANGE.test(code))
  return [...(normal.match(WORD) ?? []), ...codes.map(joined)]
}

/**
 * Words with a hyphen in one piece: `wifi` for «Wi-Fi»; abbreviations with a slash: `бу` for «б/у»; one of two alphabets in Cyrillic as well: `спацентр` for «SPA-центр». Their parts are
 * words too.
 */
export function hyphenatedIn(text: string): string[] {
  const found = normalize(text).match(JOINED_CODE) ?? []
  const words = found.filter((word) => HYPHENATED.test(word) || SLASHED.test(word)).map(joined)
  return words.flatMap((word) => (/[a-z]/.test(word) && /[а-я]/.test(word) ? [word, toCyrillic(word)] : [word]))
}

/** Words that begin with a figure, in letters: `двухместный` for «2-местный», «2х местный» and «2 местный». */
export function countedIn(text: string): string[] {
  return [...normalize(text).matchAll(COUNTED)].flatMap(([, figure = '', sign = '', word = '']) =>
    sign.trim() !== '' || ADJECTIVE.test(word) ? [`${COUNTS[Number(figure)]}${word}`] : [],
  )
}

function joined(code: string): string {
  return code.replace(JOINTS, '')
}

/** A question with such abbreviations in one piece, which is how texts that have them are found. */
export function withoutSlashes(question: string): string {
  return question.replace(/(?<![\p{L}\p{N}])(\p{L})\/(\p{L})(?:\/(\p{L}))?(?![\p{L}\p{N}/])/gu, '$1$2$3')
}
