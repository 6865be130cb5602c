// Where a text written for people may be taken apart without harm: between paragraphs, but neither inside a list or a code block nor
// between a heading or a lead-in and what it introduces. Cutting what is too long in itself is in split-text.ts.

/** A piece of a text, from `start` to before `end`, without the empty lines around it. */
export type TextBlock = { start: number; end: number }

type Line = TextBlock & { text: string }

const LIST_ITEM = /^\s*(?:[-*+•–—]|\d{1,3}[.)])\s+\S/
const INDENTED = /^(?: {2,}|\t)\S/
const HEADING = /^(?:#{1,6}\s|(\*\*|__)[^*_]+\1$)/
/** Where the targets of `[words][1]` stand. */
const LINK_TARGET = /^\[[^\]]+\]:\s/
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/

/** The blocks of a text in order; none when it holds nothing but white space. */
export function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let fence: string | null = null
  let isInList = false
  let previous: Line | null = null
  for (const line of linesOf(text)) {
    const isCode: boolean = fence !== null
    if (line.text.trim() === '') continue
    const last = blocks.at(-1)
    const hasGap = previous !== null && text.slice(previous.end, line.start).split('\n').length > 2
    const continuesList: boolean = isInList && (LIST_ITEM.test(line.text) || INDENTED.test(line.text))
    if (last && (isCode || !hasGap || continuesList || belongTogether(previous, line))) last.end = line.end
    else blocks.push({ start: line.start, end: line.end })
    if (!isCode) isInList = LIST_ITEM.test(line.text) || (isInList && (continuesList || !hasGap))
    fence = fenceAfter(line.text, fence)
    previous = line
  }
  return blocks
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split('\n').map((line) => {
    const end = start + line.trimEnd().length
    const found = { start, end, text: line.trimEnd() }
    start += line.length + 1
    return found
  })
}

/** Two lines with an empty one between them that read as one thought. */
function belongTogether(before: Line | null, after: Line): boolean {
  if (before === null) return false
  return /[:：]\**$/.test(before.text) || HEADING.test(before.text.trim()) || LINK_TARGET.test(after.text)
}

/** The marks of the fence that is open behind a line, given those of the one that was open before it; null: none. */
export function fenceAfter(line: string, open: string | null): string | null {
  if (open === null) return FENCE.exec(line)?.[1] ?? null
  const marks = line.trim()
  const closes = marks.length >= open.length && marks.split('').every((mark) => mark === open[0])
  return closes ? null : open
}
