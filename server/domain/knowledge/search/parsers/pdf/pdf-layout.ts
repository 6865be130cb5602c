// Text pieces of PDF pages → lines → blocks: what stands on one height is a line, a wide gap parts columns, larger type is a heading.
import type { Block } from '../../chunking/blocks.ts'
import type { Candidate } from '../promote-headings.ts'
import { shifted } from '../shifted-digits.ts'
import { tableBlocks } from '../table-blocks.ts'

/** One piece of text, lower left corner and size in points. */
export type Piece = { text: string; x: number; y: number; width: number; size: number }
export type Line = { text: string; cells: string[]; x: number; right: number; y: number; size: number }
export type Page = { number: number; lines: Line[] }

/** In units of the type size. */
const SAME_LINE = 0.4
const SPACE_GAP = 0.15
const COLUMN_GAP = 1.5
/** Digits of an index are smaller than so much of the line's type, and so far from its foot. */
const SHIFTED_SIZE = 0.8
const SHIFTED_LEAST = 0.1
const PARAGRAPH_GAP = 1.6
const HEADING_SIZE = 1.15
const HEADING_MAX_LENGTH = 200
const ITEM = /^(?:[-*•–—·▪◦‣●]|\d{1,3}[.)]|[a-zа-я]\))\s+/iu

/** Lines in the order in which the file draws them. */
export function linesOf(pieces: Piece[]): Line[] {
  const lines: Line[] = []
  for (const piece of pieces) {
    if (!piece.text.trim()) continue
    const line = lines.at(-1)
    const size = Math.max(line?.size ?? 0, piece.size)
    if (line && Math.abs(line.y - piece.y) <= size * SAME_LINE && piece.x >= line.right - size) append(line, piece)
    else lines.push(newLine(piece))
  }
  return lines
}

/** Blocks of all pages, without what pdf-running-lines.ts has taken off. */
export function blocksOf(pages: Page[]): (Block | Candidate)[] {
  const bodySize = commonSize(pages)
  const headingSizes = headingSizesOf(pages, bodySize)
  return pages.flatMap(({ number, lines }) =>
    groupsOf(lines, bodySize).flatMap((group) => groupBlocks(group, number, headingSizes, bodySize)),
  )
}

function newLine({ text, x, y, width, size }: Piece): Line {
  return { text: text.trim(), cells: [text.trim()], x, right: x + width, y, size }
}

function append(line: Line, piece: Piece): void {
  const size = Math.max(line.size, piece.size)
  const gap = piece.x - line.right
  const text = shownText(line, piece)
  if (gap > size * COLUMN_GAP) line.cells.push(text)
  else {
    const hasSpace = gap > size * SPACE_GAP || /^\s/.test(piece.text)
    line.cells[line.cells.length - 1] += hasSpace ? ` ${text}` : text
  }
  line.text = line.cells.join(' ')
  line.right = piece.x + piece.width
  line.size = size
}

/** Small digits above or below the line are no digits of the number before them. */
function shownText(line: Line, piece: Piece): string {
  const text = piece.text.trim()
  const raised = piece.y - line.y
  const isSmall = piece.size < line.size * SHIFTED_SIZE && Math.abs(raised) > line.size * SHIFTED_LEAST
  return isSmall ? shifted(text, raised > 0 ? 'sup' : 'sub') : text
}

/** Lines that belong together: table rows with the same number of cells, or the lines of one paragraph. */
function groupsOf(lines: Line[], bodySize: number): Line[][] {
  const groups: Line[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const previous = group?.at(-1)
    if (group && previous && continues(previous, line, group, bodySize)) group.push(line)
    else groups.push([line])
  }
  return groups
}

function continues(previous: Line, line: Line, group: Line[], bodySize: number): boolean {
  if (isRow(previous) || isRow(line)) return isRow(previous) && previous.cells.length === line.cells.length
  if (Math.abs(previous.size - line.size) > 0.5) return false
  const gap = previous.y - line.y
  if (gap <= 0 || gap > Math.max(line.size, bodySize * 0.8) * PARAGRAPH_GAP) return false
  if (ITEM.test(line.text)) return false
  const widest = Math.max(...group.map((each) => each.right))
  const isShort = previous.right < widest - line.size * 6
  return !(isShort && /[.!?:;]$/.test(previous.text))
}

function isRow(line: Line): boolean {
  return line.cells.length > 1 && !ITEM.test(`${line.cells[0]} `)
}

function groupBlocks(group: Line[], page: number, headingSizes: number[], bodySize: number): (Block | Candidate)[] {
  const [first] = group
  if (!first) return []
  if (isRow(first) && group.length > 1)
    return tableBlocks(
      group.map((line) => line.cells),
      page,
    )
  const text = joinLines(group)
  const level = headingSizes.indexOf(Math.round(first.size)) + 1
  if (level > 0 && first.size > bodySize && text.length <= HEADING_MAX_LENGTH) {
    return [{ kind: 'heading', level: Math.min(level, 6), text, page }]
  }
  return [{ kind: ITEM.test(text) ? 'item' : 'text', text, page }]
}

/** A word that was divided at the end of a line is put together again. */
function joinLines(lines: Line[]): string {
  let text = ''
  for (const line of lines) {
    const isDivided = /\p{Ll}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(line.text)
    if (isDivided) text = text.slice(0, -1) + line.text
    else text += (text ? ' ' : '') + line.text
  }
  return text
}

/** The size in which most characters are set. */
function commonSize(pages: Page[]): number {
  const characters = new Map<number, number>()
  for (const { lines } of pages) {
    for (const { size, text } of lines) {
      characters.set(Math.round(size), (characters.get(Math.round(size)) ?? 0) + text.length)
    }
  }
  return Array.from(characters).sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

/** Larger sizes, the largest first. */
function headingSizesOf(pages: Page[], bodySize: number): number[] {
  const sizes = new Set(pages.flatMap(({ lines }) => lines.map((line) => Math.round(line.size))))
  return [...sizes].filter((size) => size >= bodySize * HEADING_SIZE).sort((a, b) => b - a)
}
