// What a typed or pasted text adds to a list of phrases.

/** The list with the phrases of the text, which stand between commas, semicolons or lines. What is there already, in any case, is not added again. */
export function addChips(chips: readonly string[], text: string, max: number): string[] {
  const known = new Set(chips.map((chip) => chip.toLowerCase()))
  const next = [...chips]
  for (const phrase of text.split(/[,;\n]/).map((each) => each.trim().replace(/\s+/g, ' '))) {
    if (!phrase || known.has(phrase.toLowerCase()) || next.length >= max) continue
    known.add(phrase.toLowerCase())
    next.push(phrase)
  }
  return next
}
