// How far two words are from one another.

/** Optimal string alignment distance: insert, delete, replace and the swap of two neighbours cost 1 each. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let best = Math.min(
        cell(previous, column) + 1,
        cell(current, column - 1) + 1,
        cell(previous, column - 1) + (isSame ? 0 : 1),
      )
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) best = Math.min(best, cell(beforePrevious, column - 2) + 1)
      current.push(best)
    }
    beforePrevious = previous
    previous = current
  }
  return cell(previous, b.length)
}

/** Typing errors by which words of this length may differ and still be one. */
export function typosAllowed(length: number): number {
  if (length >= 8) return 2
  return length >= 4 ? 1 : 0
}

/** Characters that both words begin with. */
export function commonPrefixLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** The distinct trigrams of a word padded with two spaces before and one after. */
export function trigramsOf(word: string): string[] {
  const padded = `  ${word} `
  const grams = new Set<string>()
  for (let start = 0; start + 3 <= padded.length; start++) grams.add(padded.slice(start, start + 3))
  return [...grams]
}

function cell(row: number[], column: number): number {
  return row[column] ?? 0
}
