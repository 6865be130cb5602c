// What a model has written for the search → wordings. Pure.

const WORDINGS_MAX = 4
/** Characters; a longer line is no question. */
const LONGEST = 300

/** One wording a line, numbers and bullets taken off, each once. */
export function wordingsIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:\d+[.)]|[-*•])\s*/u, '').trim())
  return [...new Set(lines)]
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && line.length <= LONGEST)
    .slice(0, WORDINGS_MAX)
}
