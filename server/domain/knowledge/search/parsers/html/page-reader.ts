// The tree of a page → blocks, as a reader goes through it, opening what can be opened. Nothing is loaded or run.
import type { Block } from '../../chunking/blocks.ts'
import { saysTarget, targetOf } from '../link-targets.ts'
import { type Shift, shifted } from '../shifted-digits.ts'
import { BlockWriter } from './block-writer.ts'
import { Controls } from './controls.ts'
import { isBlockLike, isStruckThrough, Styles } from './css.ts'
import { hasAncestor, holderOf, isButton, isLayout } from './elements.ts'
import { nameOf, tickOf } from './names.ts'
import { scriptedTarget } from './scripted-target.ts'
import { Shown } from './shown.ts'
import {
  attributeOf,
  classesOf,
  type Document,
  type Element,
  elementsIn,
  isElement,
  isText,
  NEVER_SHOWN,
  type Node,
  textIn,
} from './tree.ts'

export type PageOptions = {
  /** The address of the page; null for a file. */
  url: string | null
  /** Whether to read what the author has hidden, too. */
  includeHidden: boolean
}
/** `hidden`: texts that were left out because no visitor can see or open them; `comments`: remarks of people in the source. */
export type PageText = { blocks: Block[]; hidden: number; comments: number }

const BLOCKS = new Set(
  `p div section article main header blockquote pre ul ol dl dt dd table caption figure figcaption address form fieldset legend
  details hr center body html nav footer aside dialog hgroup search menu option`.split(/\s+/),
)
const HEADING_LEVELS: Record<string, number> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6, summary: 6 }
/** Level of the title of what a button opens. */
export const TITLE_LEVEL = 6
const PICTURES = new Set(['svg', 'math', 'img', 'i'])
const STRUCK_TAGS = new Set(['del', 's', 'strike'])
const TABLE_PARTS = new Set(['thead', 'tbody', 'tfoot', 'tr', 'td', 'th'])
/** Names under which shops and page builders set old prices, whose style sheets lie elsewhere. */
const STRUCK_NAME =
  /^(?:line-through|text-decoration-line-through|strike(?:-?through)?|crossed(?:-out)?)$|(?:price|cost|цена)(?:\w*[-_]+)?(?:old|was|before|prev\w*|crossed|compare(?:[-_]at)?|regular-old)(?:$|[-_])|(?:^|[-_])(?:old|was|prev(?:ious)?|crossed|compare(?:[-_]at)?|before)[-_]*(?:price|cost)(?:$|[-_])/i
/** A price and its currency. */
const PRICE_ALONE = /^[^\p{L}\d]*\d[\d\s.,]*\s*\p{L}{0,6}[^\p{L}\d]*$/u
const OPTIONS_MAX = 30
const SELECT_NOISE = /lang|locale|country|currency|sort|region|year|month|day|phone|code|per-?page/i

type Link = { href: string; text: string; element: Element; isWritten: boolean }

/** Reads a parsed page. */
export function readPage(page: Document, options: PageOptions): PageText {
  const css = Array.from(elementsIn(page))
    .filter(({ tagName }) => tagName === 'style')
    .map((element) => element.childNodes.map((node) => (isText(node) ? node.value : '')).join(''))
  return new PageReader(page, new Styles(css.join('\n')), options).read()
}

class PageReader {
  readonly #page: Document
  readonly #styles: Styles
  readonly #options: PageOptions
  readonly #controls: Controls
  readonly #shown: Shown
  readonly #writer = new BlockWriter()
  #hidden = 0
  #comments = 0
  #preformatted = 0
  #link: Link | null = null
  /** Elements that hold a title and all that it stands above. */
  readonly #titled = new Set<Element>()

  constructor(page: Document, styles: Styles, options: PageOptions) {
    this.#page = page
    this.#styles = styles
    this.#options = options
    this.#controls = new Controls(page)
    this.#shown = new Shown(page, this.#controls)
  }

  read(): PageText {
    const open: { nodes: Node[]; at: number; leave: () => void }[] = []
    open.push({ nodes: this.#page.childNodes, at: 0, leave: () => {} })
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const node = top.nodes[top.at++]
      if (node === undefined) {
        top.leave()
        open.pop()
      } else if (isText(node)) this.#text(node.value)
      else if (isElement(node)) {
        const leave = this.#enter(node)
        if (leave) open.push({ nodes: contentOf(node), at: 0, leave })
      } else if (node.nodeName === '#comment' && 'data' in node) this.#comment(node.data)
    }
    return { blocks: this.#writer.finish(), hidden: this.#hidden, comments: this.#comments }
  }

  /** @returns what to do when the element is left; undefined when it is skipped */
  #enter(element: Element): (() => void) | undefined {
    const { tagName } = element
    if (NEVER_SHOWN.has(tagName) && !isShadowRoot(element)) return undefined
    if (PICTURES.has(tagName) && this.#picture(element)) return undefined
    const styles = this.#styles.of(element)
    if (this.#shown.isNoise(element)) return undefined
    if (this.#shown.isHidden(element, styles)) {
      if (textIn(element, 20)) this.#hidden++
      if (!this.#options.includeHidden) return undefined
    }
    const leaves = [this.#enterFrame(element), this.#enterStruck(element, isStruckThrough(styles))]
    const label = this.#controls.labelOf(element)
    if (label) {
      this.#title(textIn(label))
      this.#titled.add(element)
    } else if (tagName === 'details') this.#titled.add(element)
    const leave = this.#enterContent(element, isBlockLike(styles))
    if (leave === null) {
      for (const each of leaves) each?.()
      return undefined
    }
    return () => {
      leave()
      for (const each of leaves) each?.()
      if (this.#titled.has(element)) this.#endTitled()
    }
  }

  #endTitled(): void {
    this.#writeTarget()
    this.#writer.endSection(TITLE_LEVEL)
  }

  #enterFrame(element: Element): (() => void) | undefined {
    if (!this.#shown.isFrame(element)) return undefined
    this.#writer.openFrame()
    return () => this.#writer.closeFrame()
  }

  #enterStruck(element: Element, isStyled: boolean): (() => void) | undefined {
    const isNamed = classesOf(element).some(
      (name) =>
        STRUCK_NAME.test(name) || (/^(?:old|was|before|prev)$/i.test(name) && PRICE_ALONE.test(textIn(element, 40))),
    )
    if (!isStyled && !isNamed && !STRUCK_TAGS.has(element.tagName)) return undefined
    this.#writer.openStruck(this.#writer.isInTable && TABLE_PARTS.has(element.tagName))
    return () => this.#writer.closeStruck()
  }

  /** @returns null for an element whose content is not read */
  #enterContent(element: Element, isBlockLike: boolean): (() => void) | null {
    const { tagName } = element
    const level = HEADING_LEVELS[tagName]
    if (tagName === 'br') return this.#done(() => this.#writer.breakLine())
    if (tagName === 'wbr') return null
    if (tagName === 'area') return this.#done(() => this.#area(element))
    if (tagName === 'span' && attributeOf(element, 'onclick')) return this.#enterLink(element)
    if (tagName === 'select') return this.#done(() => this.#select(element))
    if (tagName === 'sup' || tagName === 'sub') return this.#done(() => this.#shifted(element, tagName))
    if (isButton(element)) return this.#button(element)
    if (tagName === 'a') return this.#enterLink(element)
    if (tagName === 'table') return !this.#writer.isInTable && isLayout(element) ? this.#block() : this.#table()
    if (tagName === 'tr') return this.#row()
    if (tagName === 'td' || tagName === 'th') return this.#cell(element)
    if (tagName === 'li') return this.#begin({ kind: 'item' })
    if (level !== undefined) return this.#begin({ kind: 'heading', level })
    if (tagName === 'pre') return this.#pre()
    if (BLOCKS.has(tagName) || isBlockLike || tagName.includes('-')) return this.#block()
    return this.#edge()
  }

  #done(write: () => void): null {
    write()
    return null
  }

  #edge(): () => void {
    this.#writer.edge('opened')
    return () => this.#writer.edge('closed')
  }

  #block(): () => void {
    this.#endLine()
    return () => this.#endLine()
  }

  #begin(kind: Parameters<BlockWriter['begin']>[0]): () => void {
    this.#writeTarget()
    this.#writer.begin(kind)
    return () => {
      this.#writeTarget()
      this.#writer.begin({ kind: 'text' })
    }
  }

  #endLine(): void {
    this.#writeTarget()
    this.#writer.flush()
  }

  #pre(): () => void {
    const leave = this.#block()
    this.#preformatted++
    return () => {
      this.#preformatted--
      leave()
    }
  }

  #table(): () => void {
    this.#writeTarget()
    this.#writer.openTable()
    return () => this.#writer.closeTable()
  }

  /** A row or a cell of a table that only arranges the page is a part of the page. */
  #row(): () => void {
    if (!this.#writer.isInTable) return this.#block()
    this.#writer.openRow()
    return () => {}
  }

  #cell(element: Element): () => void {
    if (!this.#writer.isInTable) return this.#block()
    const span = (name: string) => Math.max(1, Number.parseInt(attributeOf(element, name) ?? '', 10) || 1)
    this.#writer.openCell(span('colspan'), span('rowspan'))
    return () => {
      this.#writeTarget()
      this.#writer.closeCell()
    }
  }

  #title(text: string): void {
    if (!text) return
    if (this.#writer.isInTable) {
      this.#writer.write(`${text} `)
      return
    }
    this.#begin({ kind: 'heading', level: TITLE_LEVEL })
    this.#writer.write(text)
    this.#writer.begin({ kind: 'text' })
  }

  /** The title of what it opens, or words that hold a fact; what merely does something is left out. */
  #button(element: Element): (() => void) | null {
    if (this.#controls.isLabel(element)) return null
    const text = textIn(element) || nameOf(element) || (attributeOf(element, 'value') ?? '').trim()
    const href = scriptedTarget(element)
    if (href && text) return this.#done(() => this.#linkedText(text, href))
    if (this.#controls.isTitle(element)) {
      const isInside = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'summary', 'dt'].some((tag) => hasAncestor(element, tag))
      if (isInside) return this.#edge()
      const holder = holderOf(element)
      if (holder) this.#titled.add(holder)
      return this.#done(() => this.#title(text))
    }
    if (/\d|\?/.test(text) || text.split(' ').length > 4) return this.#block()
    return null
  }

  #enterLink(element: Element): () => void {
    const written = attributeOf(element, 'href')
    const isEmpty = written === undefined || /^(?:#|javascript:.*|)$/i.test(written.trim())
    const href = (isEmpty ? scriptedTarget(element) : undefined) ?? written
    this.#writer.edge('opened')
    if (href !== undefined) this.#link = { href, text: '', element, isWritten: false }
    return () => {
      if (href !== undefined) this.#closeLink()
      this.#writer.edge('closed')
    }
  }

  #linkedText(text: string, href: string): void {
    const target = targetOf(href, this.#options.url)
    this.#endLine()
    this.#text(target === null || saysTarget(text, target) ? text : `${text} (${target})`)
    this.#endLine()
  }

  /** A place of a picture that leads somewhere. */
  #area(element: Element): void {
    const href = attributeOf(element, 'href') ?? ''
    if (targetOf(href, this.#options.url) !== null) this.#linkedText(nameOf(element), href)
  }

  #closeLink(): void {
    const link = this.#link
    if (!link) return
    const name = nameOf(link.element)
    const target = targetOf(link.href, this.#options.url)
    if (!link.text.trim() && name && !saysTarget(name, target ?? name)) this.#text(name)
    else if (!link.text.trim() && target === null && name) this.#text(name)
    this.#writeTarget(true)
    this.#link = null
  }

  /** Behind the text of the open link, once: before the block ends in which it stands. */
  #writeTarget(isClosing = false): void {
    const link = this.#link
    if (!link || link.isWritten || (!isClosing && !link.text.trim())) return
    link.isWritten = true
    const target = targetOf(link.href, this.#options.url)
    const text = link.text.trim()
    if (target === null || saysTarget(text, target)) return
    this.#writer.write(text ? ` (${target})` : target)
    this.#writer.edge('closed')
    this.#writer.edge('opened')
  }

  #select(element: Element): void {
    if (SELECT_NOISE.test(`${attributeOf(element, 'name') ?? ''} ${attributeOf(element, 'id') ?? ''}`)) return
    const options = Array.from(elementsIn(element)).filter(
      (each) =>
        each.tagName === 'option' && attributeOf(each, 'disabled') === undefined && attributeOf(each, 'value') !== '',
    )
    const texts = options.slice(0, OPTIONS_MAX).map((option) => textIn(option))
    if (options.length > OPTIONS_MAX || texts.length === 0) return
    this.#writer.edge('closed')
    this.#writer.edge('opened')
    this.#writer.write(texts.filter(Boolean).join(', '))
    this.#edge()()
  }

  #shifted(element: Element, tag: Shift): void {
    const text = textIn(element)
    const raised = shifted(text, tag)
    if (raised === text) this.#edge()
    this.#text(raised)
  }

  /** @returns whether it is a picture, of which at most its name is written: where it stands alone for a text */
  #picture(element: Element): boolean {
    const isIcon = element.tagName !== 'i' || !textIn(element, 10)
    if (!isIcon) return false
    const isAlone = this.#link !== null || this.#writer.isInTable
    const own = isAlone ? nameOf(element) : attributeOf(element, 'aria-label')
    const tick = this.#writer.isInTable && !own ? tickOf(element) : undefined
    const name = tick ?? own
    if (!name || (!tick && attributeOf(element, 'aria-hidden') === 'true')) return true
    const isNeeded = this.#link ? false : !this.#writer.isInTable || this.#writer.length === 0
    if (isNeeded) {
      this.#writer.edge('opened')
      this.#text(name)
      this.#writer.edge('closed')
    }
    return true
  }

  #text(text: string): void {
    const clean = text.replaceAll('\u00ad', '')
    const plain = this.#preformatted > 0 && !this.#writer.isInTable ? clean : clean.replace(/\s+/g, ' ')
    if (this.#link) this.#link.text += plain
    this.#writer.write(plain)
  }

  /** Remarks of people, not those of programs. */
  #comment(data: string): void {
    const text = data.replace(/\s+/g, ' ').trim()
    const isOfProgram =
      /^(?:\[if|\[endif|\/?wp:|\/?ko\b|#|\$|!|\/)|[<>{};]|^\S*$/.test(text) ||
      /(?:google|yandex|begin|end|start|\/\/|конец|начало)/i.test(text)
    if (isOfProgram || text.split(' ').length < 3) return
    this.#comments++
    if (!this.#options.includeHidden) return
    this.#block()()
    this.#text(text)
    this.#block()()
  }
}

function contentOf(element: Element): Node[] {
  return 'content' in element ? (element.content as Document).childNodes : element.childNodes
}

/** A template that the browser itself puts into the page. */
function isShadowRoot(element: Element): boolean {
  return element.tagName === 'template' && attributeOf(element, 'shadowrootmode') !== undefined
}
