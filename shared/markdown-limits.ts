// Which texts are parsed as Markdown. Parsers take time quadratic in the number of marks that may belong together and in the depth of
// nesting, and the tree of a deep text overflows the stack: a text of a few kilobytes can be crafted to freeze a page.

/** Characters. */
const LENGTH_MAX = 40_000
const LINES_MAX = 2000
/** Blocks within each other: quotes and lists. */
const DEPTH_MAX = 30
/** Signs of one block that may open or close something. */
const MARKS_MAX = 1000
/** Columns by which a list has to be indented to stand within another. */
const INDENT = 2

const CONTAINER = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y
const RULE = /^[ \t>]*([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const MARKS = /\*+|_+|~+|`+|\[|\]/g

/** Whether parsing a text as Markdown takes a bearable time. Takes time in proportion to its length. */
export function isBearableMarkdown(text: string): boolean {
  if (text.length > LENGTH_MAX) return false
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.length > LINES_MAX) return false
  let marks = 0
  for (const line of lines) {
    if (line.trim() === '') marks = 0
    else marks += marksOf(line)
    if (marks > MARKS_MAX || depthOf(line) > DEPTH_MAX) return false
  }
  return true
}

function marksOf(line: string): number {
  return line.match(MARKS)?.length ?? 0
}

/** How deep a line nests blocks at most. */
function depthOf(line: string): number {
  if (RULE.test(line)) return 0
  let depth = 0
  CONTAINER.lastIndex = 0
  while (depth <= DEPTH_MAX && CONTAINER.test(line)) depth += 1
  return depth === 0 ? 0 : depth + Math.floor(indentOf(line) / INDENT)
}

function indentOf(line: string): number {
  const [space = ''] = /^[ \t]*/.exec(line) ?? []
  return [...space].reduce((columns, each) => columns + (each === '\t' ? 4 : 1), 0)
}
