// A list as a model has written it, one item a line → the items.

/** Characters; a longer line is an explanation. */
const LONGEST = 300

/** At most `most` lines, numbers and bullets taken off, each once. */
export function listedLines(text: string, most: number): string[] {
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:\d+[.)]|[-*•])\s*/u, '').trim())
  return [...new Set(lines)].filter((line) => /[\p{L}\p{N}]/u.test(line) && line.length <= LONGEST).slice(0, most)
}
