// What a cut through Markdown leaves open: marks are closed before it and opened again after it, the header of a table and the sign of a
// quote are repeated. Where to cut is decided in split-text.ts.
import type { MarkdownNode } from './markdown-node.ts'
import { parseMarkdown } from './markdown-tree.ts'

type Cut = { piece: string; remainder: string }
/** A mark around the cut: its source begins at `start` and ends before `end`. */
type OpenMark = { opening: string; closing: string; start: number; end: number }

/**
 * The two sides of a cut, each of which renders as it did in the whole.
 *
 * @param head the beginning of `text`
 * @param tail its end; white space between them is left out
 */
export function repairCut(text: string, head: string, tail: string): Cut {
  const from = head.length
  const to = text.length - tail.length
  const around = nodesAround(parseMarkdown(text), from, to)
  const marks = around.flatMap((node) => openMark(node, text) ?? [])
  const { piece, remainder } = closeAndOpen({ head, tail, from, to }, marks)
  const isBetweenLines = text.slice(from, to).includes('\n')
  const table = around.find(({ type }) => type === 'table')
  const header = isBetweenLines && table ? headerOf(table, text) : ''
  const isQuoted = around.some(({ type }) => type === 'blockquote') && !/^\s*>/.test(remainder)
  return { piece, remainder: `${isQuoted ? '> ' : ''}${header}${remainder}` }
}

/** Those that begin before the cut and end after it, the outer ones first. */
function nodesAround(node: MarkdownNode, from: number, to: number): MarkdownNode[] {
  const start = node.position?.start.offset ?? 0
  const end = node.position?.end.offset ?? 0
  if (start >= from || end <= to) return []
  const inner: MarkdownNode[] = 'children' in node ? node.children : []
  return [node, ...inner.flatMap((child) => nodesAround(child, from, to))]
}

function openMark(node: MarkdownNode, text: string): OpenMark | null {
  const start = node.position?.start.offset ?? 0
  const end = node.position?.end.offset ?? 0
  const at = { start, end }
  switch (node.type) {
    case 'emphasis':
      return same(text.slice(start, start + 1), at)
    case 'strong':
    case 'delete':
      return same(text.slice(start, start + 2), at)
    case 'inlineCode':
      return same(/^`+/.exec(text.slice(start, end))?.[0] ?? '`', at)
    case 'link':
      return text[start] === '[' ? { opening: '[', closing: `](${node.url})`, ...at } : null
    default:
      return null
  }
}

function same(sign: string, at: { start: number; end: number }): OpenMark {
  return { opening: sign, closing: sign, ...at }
}

type Sides = { head: string; tail: string; from: number; to: number }

/** A mark that would hold nothing on one side is not written there. */
function closeAndOpen({ head, tail, from, to }: Sides, marks: OpenMark[]): Cut {
  let piece = head
  let remainder = tail.trimEnd()
  for (const { opening, closing, start } of marks.toReversed()) {
    const isEmpty = piece.slice(start + opening.length).trim() === '' && start + opening.length >= from
    piece = isEmpty ? piece.slice(0, start).trimEnd() : `${piece}${closing}`
  }
  for (const { opening, closing, end } of marks.toReversed()) {
    const isEmpty = end - closing.length <= to && remainder.startsWith(closing)
    remainder = isEmpty ? remainder.slice(closing.length).trimStart() : `${opening}${remainder}`
  }
  return { piece, remainder }
}

/** The first two lines: the titles, and the line that makes it a table. */
function headerOf(table: MarkdownNode, text: string): string {
  const source = text.slice(table.position?.start.offset, table.position?.end.offset)
  return `${source.split('\n', 2).join('\n')}\n`
}
