// Parses Markdown, as models write it, into plain text and its formatted ranges: bold, links, code. The text alone is complete: it is sent
// when the ranges are rejected. Ranges have the form of Telegram's entities.
// @source core.telegram.org/bots/api#messageentity
import type { MarkdownNode as Node } from './markdown-node.ts'
import { readMarkdown } from './markdown-tree.ts'
import { signsOfOld } from './old-numbers.ts'

type Mark = 'bold' | 'italic' | 'strikethrough' | 'code' | 'blockquote'
type Meant = { type: Mark } | { type: 'pre'; language?: string } | { type: 'text_link'; url: string }
/** A range of the text. Ranges nest but never overlap partially. */
export type Stretch = Meant & { offset: number; length: number }
/** Offsets and lengths in UTF-16 units; sorted by start, outer ranges first. */
export type Formatted = { text: string; entities: Stretch[] }
/**
 * What a channel can show. `marked`: links have a label, and a table is set in monospace. `bare`: addresses follow their label, and each
 * row of a table is a line.
 */
export type Showing = 'marked' | 'bare'

type Table = Extract<Node, { type: 'table' }>
type Code = Extract<Node, { type: 'code' }>
type List = Extract<Node, { type: 'list' }>

const LANGUAGE = /^[a-z][\w+#.-]{0,19}$/i
/** Signs that may be markup or may be dropped. Most answers have none, and skip the parser. */
const MAY_MEAN = /[\\`*_~[\]<>&|#@\0\t\r]|:\/\/|www\.|^(?:[-+=:]|\d+[.)])|^ | $|\n{3}|(?<![\s\S])\n|\n(?![\s\S])/im
const WEB_PAGE = /^https?:\/\//i

/** The text as it is shown, never empty for a source that is not. */
export function formatMarkdown(source: string, showing: Showing = 'marked'): Formatted {
  if (!MAY_MEAN.test(source)) return { text: source, entities: [] }
  const { text, entities } = new Writer(source, showing).finish()
  return text.trim() === '' ? { text: source, entities: [] } : { text, entities }
}

class Writer {
  #text = ''
  readonly #entities: Stretch[] = []
  readonly #source: string
  readonly #showing: Showing
  /** Targets of reference links, `[words][1]`. */
  readonly #targets = new Map<string, string>()
  /** Marks that are open: none nests within another of its kind. */
  readonly #within = new Set<Mark>()
  #isLinked = false

  constructor(source: string, showing: Showing) {
    this.#source = source
    this.#showing = showing
    const tree = readMarkdown(source)
    this.#noteTargets(tree)
    this.#blocks(tree.children, '\n\n')
  }

  #noteTargets(node: Node): void {
    if (node.type === 'definition') this.#targets.set(node.identifier, node.url)
    if ('children' in node) for (const child of node.children) this.#noteTargets(child)
  }

  finish(): Formatted {
    return { text: this.#text, entities: this.#entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length) }
  }

  #blocks(nodes: Node[], gap: string, indent = ''): void {
    let isFirst = true
    for (const node of nodes) {
      if (node.type === 'definition') continue
      if (!isFirst)
        this.#text += node.type === 'list' && gap === '\n' ? gap : `${gap}${node.type === 'list' ? '' : indent}`
      isFirst = false
      this.#block(node, indent)
    }
  }

  #block(node: Node, indent: string): void {
    switch (node.type) {
      case 'heading':
        this.#marked('bold', () => this.#inline(node.children))
        return
      case 'blockquote':
        this.#marked('blockquote', () => this.#blocks(node.children, '\n'))
        return
      case 'list':
        this.#list(node, indent)
        return
      case 'table':
        this.#table(node)
        return
      case 'footnoteDefinition':
        this.#write(`[${node.label ?? node.identifier}] `)
        this.#blocks(node.children, '\n', indent)
        return
      case 'code':
        this.#code(node)
        return
      case 'thematicBreak':
        this.#write('———')
        return
      case 'paragraph':
        this.#inline(node.children)
        return
      default:
        this.#inline([node])
        return
    }
  }

  /** What follows the fence is a language, or a line of the text. */
  #code({ lang, meta, value }: Code): void {
    const language = lang && !meta && LANGUAGE.test(lang) ? lang : undefined
    const first = language === undefined && lang ? `${[lang, meta].filter(Boolean).join(' ')}\n` : ''
    this.#add({ type: 'pre', ...(language && { language }) }, () => this.#write(`${first}${value}`))
  }

  #table(node: Table): void {
    if (this.#showing === 'marked') {
      this.#add({ type: 'pre' }, () => this.#write(tableText(node, (cell) => oneLine(plain(cell)))))
      return
    }
    const [header, ...rows] = node.children
    const titles = header?.children.map((cell) => oneLine(plain(cell))) ?? []
    if (rows.length === 0) this.#write(titles.filter(Boolean).join(' · '))
    rows.forEach((row, at) => {
      if (at > 0) this.#write('\n')
      this.#row(row, titles)
    })
  }

  /** `A: 1 · B: 2`; empty cells are left out. */
  #row({ children }: Table['children'][number], titles: string[]): void {
    let isFirst = true
    for (const [at, cell] of children.entries()) {
      if (oneLine(plain(cell)) === '') continue
      if (!isFirst) this.#write(' · ')
      isFirst = false
      const title = titles[at]
      if (title) this.#write(/[:：]$/.test(title) ? `${title} ` : `${title}: `)
      this.#inline(cell.children.map((node) => (node.type === 'break' ? { type: 'text', value: ' ' } : node)))
    }
  }

  #list({ ordered, start, children, spread }: List, indent: string): void {
    let number = (start ?? 1) - 1
    children.forEach((item, at) => {
      if (at > 0) this.#text += spread ? '\n\n' : '\n'
      const written = ordered ? this.#numberOf(item) : null
      number = written && Number(written.digits) > number ? Number(written.digits) : number + 1
      const sign = ordered ? `${number}${written?.sign ?? '.'} ` : '• '
      const box = typeof item.checked === 'boolean' ? (item.checked ? '☑ ' : '☐ ') : null
      this.#write(`${indent}${box ?? sign}`)
      this.#blocks(item.children, '\n', `${indent}  `)
    })
  }

  /** Keeps the written numbers, unless they do not count up: `1.` before every item. */
  #numberOf({ position }: List['children'][number]): { digits: string; sign: string } | null {
    const [, digits, sign] = /^(\d+)([.)])/.exec(this.#source.slice(position?.start.offset)) ?? []
    return position && digits && sign ? { digits, sign } : null
  }

  #inline(nodes: Node[]): void {
    for (const node of nodes) this.#piece(node)
  }

  #piece(node: Node): void {
    switch (node.type) {
      case 'text':
        this.#write(node.value)
        return
      case 'strong':
        this.#marked('bold', () => this.#inline(node.children))
        return
      case 'emphasis':
        this.#marked('italic', () => this.#inline(node.children))
        return
      case 'delete':
        this.#marked('strikethrough', () => this.#inline(node.children))
        return
      case 'inlineCode':
        this.#marked('code', () => this.#write(node.value))
        return
      case 'break':
        this.#write('\n')
        return
      case 'link':
        this.#link(node.url, () => this.#inline(node.children))
        return
      case 'linkReference':
      case 'imageReference': {
        const url = this.#targets.get(node.identifier)
        if (url === undefined) this.#asWritten(node)
        else if (node.type === 'linkReference') this.#link(url, () => this.#inline(node.children))
        else this.#image(url, node.alt)
        return
      }
      case 'image':
        this.#image(node.url, node.alt)
        return
      case 'footnoteReference':
        this.#write(`[${node.label ?? node.identifier}]`)
        return
      default:
        this.#asWritten(node)
        return
    }
  }

  /** Shows an unknown node as it was written. */
  #asWritten({ position }: Node): void {
    if (position) this.#write(this.#source.slice(position.start.offset, position.end.offset))
  }

  /** An image inside a link gets the link's target. */
  #image(url: string, alt: string | null | undefined): void {
    if (this.#isLinked && alt) this.#write(alt)
    else this.#link(url, () => this.#write(alt || url))
  }

  #link(url: string, write: () => void): void {
    const wasLinked = this.#isLinked
    this.#isLinked = true
    if (this.#showing === 'bare') this.#bareLink(url, write)
    else this.#markedLink(url, write)
    this.#isLinked = wasLinked
  }

  /** Only http(s) addresses become links; any other is shown as text. */
  #markedLink(url: string, write: () => void): void {
    const start = this.#text.length
    if (WEB_PAGE.test(url)) this.#add({ type: 'text_link', url }, write)
    else write()
    const shown = this.#text.slice(start)
    const isShown = shown === url || `http://${shown}` === url
    if (isShown && this.#entities.at(-1)?.type === 'text_link') this.#entities.pop()
    else if (!WEB_PAGE.test(url) && url !== '' && !isSameAddress(shown, addressOf(url))) this.#write(` (${url})`)
  }

  /** `label: address`; the address alone where the label equals it. */
  #bareLink(url: string, write: () => void): void {
    const start = this.#text.length
    write()
    const words = this.#text.slice(start)
    const address = addressOf(url)
    if (address === '' || isSameAddress(words, address)) return
    const gap = words.trim() === '' || /\s$/.test(words) ? '' : /[:：]$/.test(words) ? ' ' : ': '
    this.#write(`${gap}${address}`)
  }

  #marked(type: Mark, write: () => void): void {
    if (this.#within.has(type)) {
      write()
      return
    }
    this.#within.add(type)
    this.#add({ type }, write)
    this.#within.delete(type)
  }

  #add(entity: Meant, write: () => void): void {
    const offset = this.#text.length
    write()
    const length = this.#text.length - offset
    if (length > 0) this.#entities.push({ ...entity, offset, length })
  }

  #write(text: string): void {
    this.#text += text
  }
}

/** Aligns columns for a monospace font. */
function tableText({ children }: Table, textOf: (cell: Node) => string): string {
  const rows = children.map((row) => row.children.map(textOf))
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, at) => Math.max(known[at] ?? 0, cell.length)).concat(known.slice(row.length)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function addressOf(url: string): string {
  return url.replace(/^(?:mailto|tel):/i, '').replaceAll(/\s/g, encodeURIComponent)
}

/** Whether the label is the address already. */
function isSameAddress(words: string, address: string): boolean {
  const bare = (text: string) =>
    text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^www\./i, '')
      .replace(/\/$/, '')
      .toLowerCase()
  const isPhone = /^\+?\d[\d\s()-]*$/.test(words.trim()) && /^\+?\d/.test(address)
  const digits = (text: string) => text.replace(/\D/g, '')
  return bare(words) === bare(address) || (isPhone && digits(words) === digits(address))
}

function plain(node: Node): string {
  if ('value' in node) return node.value
  if (node.type === 'break') return ' '
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
  return 'children' in node ? plainPieces(node.children) : ''
}

function plainPieces(nodes: Node[]): string {
  const texts = nodes.map(plain)
  return texts
    .map((text, at) => {
      if (nodes[at]?.type !== 'delete') return text
      const around = { before: texts.slice(0, at).join(''), after: texts.slice(at + 1).join('') }
      const { opening, closing } = signsOfOld(text, around)
      return opening + text + closing
    })
    .join('')
}
