// Markdown as models write it, read into a tree: HTML tags that mean what Markdown can say become that, stars between digits stay stars,
// and bold that touches a word counts as bold.
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { isBearableMarkdown } from '#shared/markdown-limits.ts'
import { meaningOfTags } from './markdown-html.ts'
import type { MarkdownNode, MarkdownTree } from './markdown-node.ts'

/** A line that is indented is not code, and a line that begins with a tag may hold Markdown. */
const WITHOUT = { disable: { null: ['codeIndented', 'htmlFlow'] } }
const RULES = { extensions: [gfm({ singleTilde: false }), WITHOUT], mdastExtensions: [gfmFromMarkdown()] }
/** Bold that CommonMark does not see because the closing stars stand between a mark and a word: `**Price:**4990`. */
const TOUCHING = /(?<![\p{L}\p{N}*])\*\*(?=[^\s*])([^*\n]+)(?<=\S)\*\*(?!\*)/gu
const WORD = /[\p{L}\p{N}]/u
const DIGIT = /\p{N}/u

/** Reads Markdown; never throws. */
export function readMarkdown(source: string): MarkdownTree {
  const tree = parseMarkdown(source)
  tidyChildren(tree, source)
  return tree
}

/** The tree as Markdown alone has it, in which every node has its place; never throws. What would take too long to read is one paragraph. */
export function parseMarkdown(source: string): MarkdownTree {
  return isBearableMarkdown(source) ? fromMarkdown(source, RULES) : unread(source)
}

function unread(value: string): MarkdownTree {
  const start = { line: 1, column: 1, offset: 0 }
  const position = { start, end: { line: 1, column: value.length + 1, offset: value.length } }
  const children = [{ type: 'text' as const, value, position }]
  return { type: 'root', children: [{ type: 'paragraph', children, position }], position }
}

function tidyChildren(node: MarkdownNode, source: string): void {
  if (!('children' in node)) return
  const children = (node.children as MarkdownNode[]).flatMap((child) => tidied(child, source))
  node.children = meaningOfTags(children) as typeof node.children
}

function tidied(node: MarkdownNode, source: string): MarkdownNode[] {
  tidyChildren(node, source)
  if (node.type === 'text') return boldOf(node, source)
  if (node.type !== 'emphasis' && node.type !== 'strong') return [node]
  const sign = literalSign(node, source)
  if (sign === null) return [node]
  return [{ type: 'text', value: sign }, ...node.children, { type: 'text', value: sign }]
}

/** The stars of `2*3*4` and `5*3=15 and 2*4=8`, which are multiplication; null: the node is emphasis. */
function literalSign(
  { type, position }: Extract<MarkdownNode, { type: 'emphasis' | 'strong' }>,
  source: string,
): string | null {
  const [start, end] = [position?.start.offset, position?.end.offset]
  if (start === undefined || end === undefined || source[start] !== '*') return null
  const sign = type === 'strong' ? '**' : '*'
  const before = characterBefore(source, start)
  if (type === 'strong') return DIGIT.test(before) && DIGIT.test(source[start + 2] ?? '') ? sign : null
  return WORD.test(before) || DIGIT.test(source[end] ?? '') ? sign : null
}

function characterBefore(source: string, at: number): string {
  return [...source.slice(Math.max(0, at - 2), at)].at(-1) ?? ''
}

/** What was escaped (`\*\*`) shows as it is: then the source is longer than its text. */
function boldOf(node: Extract<MarkdownNode, { type: 'text' }>, source: string): MarkdownNode[] {
  const { value, position } = node
  if (!value.includes('**') || source.slice(position?.start.offset, position?.end.offset) !== value) return [node]
  const pieces: MarkdownNode[] = []
  let at = 0
  for (const found of value.matchAll(TOUCHING)) {
    pieces.push({ type: 'text', value: value.slice(at, found.index) })
    pieces.push({ type: 'strong', children: [{ type: 'text', value: found[1] ?? '' }] })
    at = found.index + found[0].length
  }
  return [...pieces, { type: 'text', value: value.slice(at) }]
}
