// Markdown → blocks, line by line: headings, list items, tables, fenced code as text. Inline marks are taken off. No expression here looks
// from every mark to the end of a long line: a file of marks alone would take hours.
import type { Block, ParsedFile } from '../chunking/blocks.ts'
import { decode } from './encoding.ts'
import { tableBlocks } from './table-blocks.ts'

const HEADING = /^ {0,3}(#{1,6})\s+([\s\S]*)/
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+([\s\S]*)/
const FENCE = /^\s*(```|~~~)/
const TABLE_ROW = /^\s*\|.*\|\s*$/
const TABLE_RULE = /^[\s:|-]+$/
const FRONT_MATTER = /^---\r?\n[\s\S]*?\r?\n---\r?\n/

export function parseMarkdown(bytes: Uint8Array): ParsedFile {
  const { text, encoding, isGuess } = decode(bytes)
  const reader = new MarkdownReader()
  for (const line of text.replace(FRONT_MATTER, '').split(/\r\n|\n|\r/)) reader.line(line)
  return {
    blocks: reader.finish(),
    pageCount: null,
    warnings: isGuess ? [{ kind: 'encoding_guessed', encoding }] : [],
  }
}

class MarkdownReader {
  readonly #blocks: Block[] = []
  #paragraph: string[] = []
  #isItem = false
  #table: string[][] = []
  #isCode = false

  line(line: string): void {
    if (FENCE.test(line)) {
      this.#flush()
      this.#isCode = !this.#isCode
    } else if (this.#isCode) {
      if (line.trim()) this.#blocks.push({ kind: 'text', text: line.trimEnd(), page: null })
    } else if (TABLE_ROW.test(line)) {
      this.#tableRow(line)
    } else {
      this.#flushTable()
      this.#prose(line)
    }
  }

  finish(): Block[] {
    this.#flush()
    return this.#blocks
  }

  #tableRow(line: string): void {
    this.#flushParagraph()
    if (TABLE_RULE.test(line)) return
    const cells = line
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
    this.#table.push(cells.map((cell) => plainText(cell.replaceAll('\\|', '|').trim())))
  }

  #prose(line: string): void {
    const heading = HEADING.exec(line)
    const underline = UNDERLINE.exec(line)
    const item = ITEM.exec(line)
    if (heading) {
      this.#flush()
      this.#heading(heading[1]?.length ?? 1, unclosed(heading[2] ?? ''))
    } else if (underline && this.#paragraph.length > 0 && !this.#isItem) {
      const text = this.#paragraph.join(' ')
      this.#paragraph = []
      this.#heading(underline[1]?.startsWith('=') ? 1 : 2, text)
    } else if (item && !underline) {
      this.#flush()
      this.#isItem = true
      this.#paragraph.push(item[1] ?? '')
    } else if (line.trim() && !underline) {
      this.#paragraph.push(line.trim())
    } else {
      this.#flush()
    }
  }

  #heading(level: number, text: string): void {
    if (text.trim()) this.#blocks.push({ kind: 'heading', level, text: plainText(text), page: null })
  }

  #flush(): void {
    this.#flushTable()
    this.#flushParagraph()
  }

  #flushParagraph(): void {
    const text = plainText(this.#paragraph.join(' '))
    if (text) this.#blocks.push({ kind: this.#isItem ? 'item' : 'text', text, page: null })
    this.#paragraph = []
    this.#isItem = false
  }

  #flushTable(): void {
    for (const block of tableBlocks(this.#table, null)) this.#blocks.push(block)
    this.#table = []
  }
}

/** Without emphasis and code marks; a link keeps its address in brackets, an image its description. */
function plainText(markdown: string): string {
  return markdown
    .replace(/!\[([^[\]]*)\]\([^)]{0,3000}\)/g, '$1')
    .replace(/\[([^[\]]*)\]\(([^)\s]{0,2000})(?:\s[^)]{0,1000})?\)/g, (_, text: string, url: string) =>
      text === url ? url : `${text} (${url})`,
    )
    .replace(/(\*\*|__)(?=\S)(.{0,1000}?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)(.{0,1000}?\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/^>\s?/, '')
    .trim()
}

/** Without the marks that may close a heading as they have opened it: "Delivery ##". */
function unclosed(heading: string): string {
  const text = heading.trimEnd()
  let end = text.length
  while (text[end - 1] === '#') end--
  return end === 0 || /\s/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text
}
