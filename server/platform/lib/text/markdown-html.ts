// HTML tags within Markdown: those that say what Markdown can say become its nodes. Any other tag shows as it was written, for `<phone>`
// is more often a placeholder than HTML.
import type { MarkdownNode } from './markdown-node.ts'

type Tag = { name: string; attributes: string; isClosing: boolean }

const TAG = /^<(\/?)([a-z][a-z0-9]*)\b([^>]*?)\/?>$/i
const COMMENT = /^<!--[\s\S]*-->$/
const MARKS: Record<string, 'strong' | 'emphasis' | 'delete'> = {
  b: 'strong',
  strong: 'strong',
  h1: 'strong',
  h2: 'strong',
  h3: 'strong',
  h4: 'strong',
  h5: 'strong',
  h6: 'strong',
  th: 'strong',
  i: 'emphasis',
  em: 'emphasis',
  s: 'delete',
  del: 'delete',
  strike: 'delete',
}
/** Begin on a line of their own. */
const LINES = new Set(['p', 'div', 'li', 'ul', 'ol', 'tr', 'table', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** White space between what they hold means nothing. */
const CONTAINERS = new Set(['ul', 'ol', 'tr', 'table', 'thead', 'tbody'])
const CELLS = new Set(['td', 'th'])
const OTHERS = new Set(['a', 'code', 'pre', 'kbd'])
/** Say nothing that a message can show. */
const BARE = new Set(['span', 'u', 'ins', 'font', 'small', 'big', 'sub', 'sup', 'mark', 'center', 'thead', 'tbody'])

/** The nodes with their tags read. A mark that is opened and never closed stays as it was written. */
export function meaningOfTags(nodes: MarkdownNode[]): MarkdownNode[] {
  if (!nodes.some(({ type }) => type === 'html')) return nodes
  const read: MarkdownNode[] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as MarkdownNode
    const tag = tagOf(node)
    const end = tag && !tag.isClosing && isKnown(tag.name) ? closingOf(nodes, at, tag.name) : -1
    if (node.type !== 'html') read.push(node)
    else if (tag && end > at) {
      read.push(...element(tag, nodes.slice(at + 1, end), read.length > 0))
      at = end
    } else read.push(...alone(node, tag, read.length > 0))
  }
  return read
}

function tagOf(node: MarkdownNode | undefined): Tag | null {
  const [, slash, name, attributes = ''] = (node?.type === 'html' && TAG.exec(node.value)) || []
  return name ? { name: name.toLowerCase(), attributes, isClosing: slash === '/' } : null
}

/** Where the element that is opened at `start` ends; -1: nowhere. */
function closingOf(nodes: MarkdownNode[], start: number, name: string): number {
  let depth = 0
  for (let at = start; at < nodes.length; at++) {
    const tag = tagOf(nodes[at])
    if (tag?.name !== name) continue
    depth += tag.isClosing ? -1 : 1
    if (depth === 0) return at
  }
  return -1
}

/** @param isBehind something precedes it */
function element({ name, attributes }: Tag, inner: MarkdownNode[], isBehind: boolean): MarkdownNode[] {
  const given = CONTAINERS.has(name) ? inner.filter((node) => node.type !== 'text' || node.value.trim() !== '') : inner
  const children = meaningOfTags(given)
  const lineBreak: MarkdownNode[] = LINES.has(name) && isBehind ? [{ type: 'break' }] : []
  const lead = name === 'li' ? '• ' : CELLS.has(name) && isBehind ? ' · ' : ''
  const before: MarkdownNode[] = [...lineBreak, ...(lead ? [{ type: 'text' as const, value: lead }] : [])]
  const mark = MARKS[name]
  if (mark) return [...before, { type: mark, children } as MarkdownNode]
  if (OTHERS.has(name) && name !== 'a') return [...before, { type: 'inlineCode', value: children.map(textOf).join('') }]
  if (name === 'a') {
    const url = attributeOf(attributes, 'href')
    return url ? [{ type: 'link', url, children } as MarkdownNode] : children
  }
  return [...before, ...children]
}

function isKnown(name: string): boolean {
  return name in MARKS || [LINES, CONTAINERS, CELLS, BARE, OTHERS].some((names) => names.has(name))
}

function alone(node: Extract<MarkdownNode, { type: 'html' }>, tag: Tag | null, isBehind: boolean): MarkdownNode[] {
  if (COMMENT.test(node.value)) return []
  if (tag?.name === 'br') return [{ type: 'break' }]
  if (tag?.name === 'hr') return [{ type: 'text', value: `${isBehind ? '\n' : ''}———\n` }]
  const src = tag?.name === 'img' ? attributeOf(tag.attributes, 'src') : ''
  if (tag && src) return [{ type: 'image', url: src, alt: attributeOf(tag.attributes, 'alt') }]
  if (tag?.name === 'li' && !tag.isClosing) return [{ type: 'text', value: `${isBehind ? '\n' : ''}• ` }]
  if (tag && (LINES.has(tag.name) || CONTAINERS.has(tag.name) || CELLS.has(tag.name)))
    return isBehind && !tag.isClosing ? [{ type: 'break' }] : []
  return [{ type: 'text', value: node.value }]
}

function attributeOf(attributes: string, name: string): string {
  const [, double, single, bare] =
    new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes) ?? []
  return (double ?? single ?? bare ?? '').replaceAll('&amp;', '&')
}

function textOf(node: MarkdownNode): string {
  if ('value' in node) return node.value
  if (node.type === 'break') return '\n'
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
