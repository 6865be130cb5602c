// Text → normalised words. One path for what is indexed and what is asked.

const COMBINING_MARKS = /[\u0300-\u036f]/g
const WORD = /[\p{L}\p{N}]+/gu
const JOINED_CODE = /[\p{L}\p{N}]+(?:[-/._][\p{L}\p{N}]+)+/gu
const DIGIT = /\p{N}/u

/** One writing for each word: compatibility forms, case, ё and stress marks are evened out; й survives. */
function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е').replace(COMBINING_MARKS, '')
}

/**
 * The normalised words of a text in order. A code joined by `-`, `/`, `.` or `_` that holds a digit («А-101») gives its
 * parts and, after all words, its joined form («а101»), so that it is found however it is written.
 */
export function wordsOf(text: string): string[] {
  const normal = normalize(text)
  const words: string[] = normal.match(WORD) ?? []
  for (const code of normal.match(JOINED_CODE) ?? []) {
    if (DIGIT.test(code)) words.push(code.replace(/[-/._]/g, ''))
  }
  return words
}
