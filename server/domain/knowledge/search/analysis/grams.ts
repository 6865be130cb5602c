// Word → overlapping pieces of four characters, which still meet where stems do not.

const SIZE = 4

/** The grams of one normalised word with its borders marked: `по` → `_по_`; `книга` → `_кни`, `книг`, `нига`, `ига_`. */
export function gramsOf(word: string): string[] {
  const bordered = `_${word}_`
  const count = Math.max(1, bordered.length - SIZE + 1)
  return Array.from({ length: count }, (_, start) => bordered.slice(start, start + SIZE))
}
