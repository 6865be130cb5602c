// What was typed into the search of the inbox, and what was found, in the form that people read.

/** What the database puts around a word that was found: signs that no text has. */
export const MARKS = { start: '\uE000', stop: '\uE001' } as const
const WORDS_MAX = 8

/** The query for names, each word the beginning of one; null when there is no word. */
export function nameQuery(typed: string): string | null {
  const words = typed.match(/[\p{L}\p{N}_]+/gu)?.slice(0, WORDS_MAX) ?? []
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(' & ')
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
