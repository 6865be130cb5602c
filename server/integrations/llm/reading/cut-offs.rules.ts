// Answers that end before their end: what of them is whole, and how what comes after is joined to it. Decisions only.

/** A mark that ends a sentence, with the quotes and brackets that close behind it, before something that can begin another. */
const SENTENCE_END = /[.!?…。！？]+["'»”’)\]*_]*(?=\s|$)/gu
/** Figures and abbreviations after which a sentence goes on. */
const NO_END =
  /(?:^|[\s(])(?:[\p{L}]|г|гг|ул|стр|п|пп|рис|табл|тыс|млн|млрд|руб|коп|тел|им|напр|пр|корп|кв|оф|мин|макс|т\.\s?е|т\.\s?д|т\.\s?п|Mr|Mrs|Ms|Dr|St|No|vs|e\.g|i\.e|etc|approx|pp|Fig)\.$/iu
/** The number of a line in a list. */
const NUMBERED = /(?:^|\n)[ \t]*\d{1,2}\.$/u
const LIST_ITEM = /^[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+\S/u
const REPEAT_LENGTH = 24

/** The text up to the end of its last whole sentence or line of a list; empty when it has none. */
export function wholeSentences(text: string): string {
  let end = 0
  for (const match of text.matchAll(SENTENCE_END)) {
    const at = match.index + match[0].length
    const isLower = /^\s+\p{Ll}/u.test(text.slice(at, at + 4)) && match[0].startsWith('.')
    const before = text.slice(Math.max(0, at - 20), at)
    const isNumber = NUMBERED.test(before) || (at === text.length && /\d\.$/.test(before))
    if (!isLower && !isNumber && !NO_END.test(before)) end = at
  }
  return closed(text.slice(0, Math.max(end, listEnd(text))).trimEnd())
}

/** The end of the last line of a list that another line follows. */
function listEnd(text: string): number {
  let end = 0
  let at = 0
  for (const line of text.split('\n').slice(0, -1)) {
    at += line.length + 1
    if (LIST_ITEM.test(line)) end = at - 1
  }
  return end
}

/** A fence of code that the end has cut is left out. */
function closed(text: string): string {
  const fences = [...text.matchAll(/(?:^|\n)[ \t]*```/g)]
  return fences.length % 2 === 0 ? text : text.slice(0, fences.at(-1)?.index).trimEnd()
}

/** What was whole and what the model has written after it; a model that began all over is taken at its second word. */
export function joined(whole: string, rest: string): string {
  const next = rest.trimStart()
  if (whole === '') return next
  if (next.startsWith(whole.trimStart().slice(0, REPEAT_LENGTH))) return next
  const isNewLine = LIST_ITEM.test(next) || /\n\s*$/.test(whole)
  return `${whole.trimEnd()}${isNewLine ? '\n' : ' '}${next}`
}
