// Text → normalised words. One path for indexed texts and queries.
import { foldKazakh } from '#server/platform/lib/text/kazakh.ts'

const COMBINING_MARKS = /[\u0300-\u036f]/g
const WORD = /[\p{L}\p{N}]+/gu
const JOINED_CODE = /[\p{L}\p{N}]+(?:[-\u2010/._][\p{L}\p{N}]+)+/gu
const JOINTS = /[-\u2010/._]/g
const HYPHENATED = /^\p{L}+(?:[-\u2010]\p{L}+){1,2}$/u
const DIGIT = /\p{N}/u

/** One writing for each word: compatibility forms, case, ё, Kazakh letters and stress marks are evened out; й survives. */
function normalize(text: string): string {
  return foldKazakh(text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е')).replace(COMBINING_MARKS, '')
}

/**
 * The normalised words of a text in order. A code joined by `-`, `/`, `.` or `_` that holds a digit («А-101») gives its parts and, after
 * all words, its joined form («а101»), so that it is found however it is written.
 */
export function wordsOf(text: string): string[] {
  const normal = normalize(text)
  const codes = (normal.match(JOINED_CODE) ?? []).filter((code) => DIGIT.test(code))
  return [...(normal.match(WORD) ?? []), ...codes.map(joined)]
}

/** Words with a hyphen in one piece: `wifi` for «Wi-Fi». Their parts are words as well. */
export function hyphenatedIn(text: string): string[] {
  const found = normalize(text).match(JOINED_CODE) ?? []
  return found.filter((word) => HYPHENATED.test(word)).map(joined)
}

function joined(code: string): string {
  return code.replace(JOINTS, '')
}
