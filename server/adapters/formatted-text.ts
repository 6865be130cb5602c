// Markdown, as models write it, as messengers show it: a text, and which stretches of it are bold, links or code. The text alone says
// everything: it is what is sent when the stretches are refused. They have the form that Telegram gives them.
// @source core.telegram.org/bots/api#messageentity
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { isBearableMarkdown } from '#shared/markdown-limits.ts'

type Mark = 'bold' | 'italic' | 'strikethrough' | 'code' | 'blockquote'
type Meant = { type: Mark } | { type: 'pre'; language?: string } | { type: 'text_link'; url: string }
/** A stretch of the text. It may hold others, and never ends within one. */
export type Stretch = Meant & { offset: number; length: number }
/** Offsets and lengths in UTF-16 units; what begins earlier or holds others comes first. */
export type Formatted = { text: string; entities: Stretch[] }

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number]
type Table = Extract<Node, { type: 'table' }>
type Code = Extract<Node, { type: 'code' }>
type List = Extract<Node, { type: 'list' }>

const LANGUAGE = /^[a-z][\w+#.-]{0,19}$/i
/** HTML is shown as it was written, and a line that is indented is not code. */
const WITHOUT = { disable: { null: ['codeIndented', 'htmlFlow', 'htmlText'] } }
const RULES = { extensions: [gfm({ singleTilde: false }), WITHOUT], mdastExtensions: [gfmFromMarkdown()] }
/** What may be more than a letter of the text, or may be left out of it. Most answers have nothing of it, and are shown as they are. */
const MAY_MEAN = /[\\`*_~[\]<>&|#@\0\t\r]|:\/\/|www\.|^(?:[-+=:]|\d+[.)])|^ | $|\n{3}|(?<![\s\S])\n|\n(?![\s\S])/im

/** The text as it is shown, never empty for one that is not. */
export function formatMarkdown(source: string): Formatted {
  if (!MAY_MEAN.test(source) || !isBearableMarkdown(source)) return { text: source, entities: [] }
  const tree = fromMarkdown(source, RULES)
  const { text, entities } = new Writer(source, tree).finish()
  return text === '' ? { text: source, entities: [] } : { text, entities }
}

class Writer {
  #text = ''
  readonly #entities: Stretch[] = []
  readonly #source: string
  /** Where the targets of `[words][1]` lead. */
  readonly #targets = new Map<string, string>()
  #isQuoted = false

  constructor(source: string, tree: ReturnType<typeof fromMarkdown>) {
    this.#source = source
    for (const node of tree.children) if (node.type === 'definition') this.#targets.set(node.identifier, node.url)
    this.#blocks(tree.children, '\n\n')
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
        this.#quote(() => this.#blocks(node.children, '\n'))
        return
      case 'list':
        this.#list(node, indent)
        return
      case 'table':
        this.#add({ type: 'pre' }, () => this.#write(tableText(node, (cell) => plain(cell))))
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

  /** What stands behind the fence is a language, or a line of the text. */
  #code({ lang, meta, value }: Code): void {
    const language = lang && !meta && LANGUAGE.test(lang) ? lang : undefined
    const first = language === undefined && lang ? `${[lang, meta].filter(Boolean).join(' ')}\n` : ''
    this.#add({ type: 'pre', ...(language && { language }) }, () => this.#write(`${first}${value}`))
  }

  #list({ ordered, start, children, spread }: List, indent: string): void {
    children.forEach((item, at) => {
      if (at > 0) this.#text += spread ? '\n\n' : '\n'
      const sign = ordered ? `${(start ?? 1) + at}. ` : '• '
      const box = typeof item.checked === 'boolean' ? (item.checked ? '☑ ' : '☐ ') : null
      this.#write(`${indent}${box ?? sign}`)
      this.#blocks(item.children, '\n', `${indent}  `)
    })
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
      case 'linkReference': {
        const url = this.#targets.get(node.identifier)
        if (url === undefined) this.#asWritten(node)
        else this.#link(url, () => this.#inline(node.children))
        return
      }
      case 'image':
        this.#link(node.url, () => this.#write(node.alt || node.url))
        return
      default:
        this.#asWritten(node)
        return
    }
  }

  /** Whatever is not known is shown as it was written. */
  #asWritten({ position }: Node): void {
    if (position) this.#write(this.#source.slice(position.start.offset, position.end.offset))
  }

  /** Only pages of the web are made links; of anything else the address is shown. */
  #link(url: string, write: () => void): void {
    const start = this.#text.length
    if (/^https?:\/\//i.test(url)) this.#add({ type: 'text_link', url }, write)
    else write()
    const shown = this.#text.slice(start)
    const isShown = shown === url || `mailto:${shown}` === url || `http://${shown}` === url
    if (isShown && this.#entities.at(-1)?.type === 'text_link') this.#entities.pop()
    else if (!isShown && !/^https?:\/\//i.test(url)) this.#write(` (${url})`)
  }

  /** Quotes of Telegram hold no quotes. */
  #quote(write: () => void): void {
    if (this.#isQuoted) {
      write()
      return
    }
    this.#isQuoted = true
    this.#marked('blockquote', write)
    this.#isQuoted = false
  }

  #marked(type: Mark, write: () => void): void {
    this.#add({ type }, write)
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

/** Columns under each other, as letters of one width show them. */
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

function plain(node: Node): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(plain).join('') : ''
}
