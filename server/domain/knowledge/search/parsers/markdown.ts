// Markdown → blocks, line by line: headings, list items, tables, fenced code as text. Inline marks are taken off. No expression here looks
// from every mark to the end of a long line: a file of marks alone would take hours.
import type { DocumentWarning } from '#shared/knowledge/knowledge.ts'
import type { Block, ParsedFile } from '../chunking/blocks.ts'
import { decode } from './encoding/encoding.ts'
import { isNeeded } from './html/block-writer.ts'
import { readPage, TITLE_LEVEL } from './html/page-reader.ts'
import { parseTree } from './html/tree.ts'
import { hiddenWarnings, READ_OPTIONS, type ReadOptions } from './read-options.ts'
import { tableBlocks } from './table-blocks.ts'
import { struck, wordStruck } from './workbooks/struck-text.ts'

const HEADING = /^ {0,3}(#{1,6})\s+([\s\S]*)/
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/
/** The number is kept: customers ask for clauses by it. */
const ITEM = /^\s*(?:[-*+]|(\d{1,9}[.)]))\s+([\s\S]*)/
const FENCE = /^\s*(```|~~~)/
const TABLE_ROW = /^\s*\|.*\|\s*$/
const TABLE_RULE = /^[\s:|-]+$/
/** The same below the header of a table whose rows have no bars at their ends. */
const BARE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$/
/** A backslash that takes the meaning of a mark away; exporting programs write it before any. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g
/** Characters that no text has, in the place of escaped marks while the others are read. */
const ASIDE = 0xf_0000
const SET_ASIDE = /[\u{F0021}-\u{F007E}]/gu
const AUTOLINK = /<((?:https?:\/\/|mailto:|tel:)[^<>\s]{1,2000}|[^<>\s@/]{1,100}@[^<>\s@/]{1,200})>/g
/** A definition that no link uses, written to say something to other authors. */
const REFERENCE_COMMENT = /^\s{0,3}\[(?:\/\/|comment|_)\]:\s*(?:#|<>)\s*[("'](.*)[)"']\s*$/i
/** Remarks of note-taking programs, and of pages with code in them. */
const OTHER_COMMENT = /%%(?:[^%]|%(?!%)){1,2000}%%|\{\/\*(?:[^*]|\*(?!\/)){0,2000}\*\/\}/g
/** Where a link leads that names its target elsewhere: `[us]: https://t.me/shop "hint"`. */
const DEFINITION = /^ {0,3}\[([^[\]]{1,200})\]:\s+<?([^\s<>]{1,2000})>?(?:\s+["'(].*)?\s*$/
/** Elements that authors write into Markdown; a paragraph with one is read as a page. */
const HTML_TAG =
  /<\/?(?:a|abbr|b|big|br|button|center|dd|del|details|div|dl|dt|em|figure|font|h[1-6]|hr|i|img|ins|kbd|li|ol|p|s|small|span|strike|strong|sub|summary|sup|table|td|th|tr|u|ul)(?=[\s/>])[^<>]{0,2000}>/i
const FRONT_MATTER = /^---\r?\n[\s\S]*?\r?\n---\r?\n/

/** @param options whether comments are read, too */
export function parseMarkdown(bytes: Uint8Array, options: ReadOptions = READ_OPTIONS): ParsedFile {
  const { text, encoding, isGuess } = decode(bytes, false, options.encoding)
  const { lines, comments } = withoutComments(text.replace(FRONT_MATTER, '').split(/\r\n|\n|\r/), options.includeHidden)
  const reader = new MarkdownReader()
  for (const line of withBars(withTargets(lines))) reader.line(line)
  const warnings: DocumentWarning[] = isGuess ? [{ kind: 'encoding_guessed', encoding }] : []
  warnings.push(...hiddenWarnings({ comments }, options))
  return { blocks: wordStruck(reader.finish()), pageCount: null, warnings }
}

/** Lines in which every row of a table stands between bars. */
function withBars(lines: string[]): string[] {
  let isRow = false
  let isCode = false
  return lines.map((line, at) => {
    if (FENCE.test(line)) isCode = !isCode
    const hasBar = !isCode && line.includes('|')
    isRow = hasBar && (isRow || BARE_RULE.test(lines[at + 1] ?? ''))
    return isRow && !TABLE_ROW.test(line) ? `| ${line.trim().replace(/^\||(?<!\\)\|$/g, '')} |` : line
  })
}

/** Lines in which every link says where it leads, without the lines that say so for others. */
function withTargets(lines: string[]): string[] {
  const targets = new Map<string, string>()
  const used = new Set<string>()
  const keyOf = (name: string) => name.trim().toLowerCase()
  for (const line of lines) {
    const [, name, target] = DEFINITION.exec(line) ?? []
    if (name && target && !name.startsWith('^')) targets.set(keyOf(name), target)
  }
  if (targets.size === 0) return lines
  const linked = lines.map((line) =>
    DEFINITION.test(line)
      ? line
      : line.replace(/\[([^[\]]{1,500})\](?:\[([^[\]]{0,200})\])?(?![(:])/g, (all, text: string, name?: string) => {
          const key = keyOf(name || text)
          const target = targets.get(key)
          if (target !== undefined) used.add(key)
          return target === undefined ? all : `[${text}](${target})`
        }),
  )
  return linked.filter((line) => !used.has(keyOf(DEFINITION.exec(line)?.[1] ?? '')))
}

/** Lines outside of comments; code is left unchanged. With `isKept` only the comment marks are removed. */
function withoutComments(lines: string[], isKept: boolean): { lines: string[]; comments: number } {
  let comments = 0
  let isCode = false
  let isOpen = false
  const kept = lines.map((line) => {
    if (!isOpen && FENCE.test(line)) isCode = !isCode
    if (isCode) return line
    const reference = REFERENCE_COMMENT.exec(line)
    if (!isOpen && reference) {
      comments++
      return isKept ? (reference[1] ?? '') : ''
    }
    let text = ''
    let rest = isOpen
      ? line
      : line.replace(OTHER_COMMENT, (all) => {
          comments++
          return isKept ? all.slice(2, -2) : ''
        })
    while (rest) {
      const at = rest.indexOf(isOpen ? '-->' : '<!--')
      if (!isOpen || isKept) text += at < 0 ? rest : rest.slice(0, at)
      if (at < 0) break
      if (!isOpen) comments++
      rest = rest.slice(at + (isOpen ? 3 : 4))
      isOpen = !isOpen
    }
    return text
  })
  return { lines: kept, comments }
}

const endOfDetails: Block = { kind: 'heading', level: TITLE_LEVEL, text: '', page: null }

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
    return this.#blocks.filter(isNeeded)
  }

  #tableRow(line: string): void {
    this.#flushParagraph()
    if (TABLE_RULE.test(line)) return
    const cells = line
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
    this.#table.push(cells.map((cell) => this.#cell(cell.replaceAll('\\|', '|').trim())))
  }

  #cell(written: string): string {
    if (!HTML_TAG.test(written)) return plainText(written)
    const { blocks } = readPage(parseTree(written), { url: null, includeHidden: false })
    return plainText(blocks.map(({ text }) => text).join(' '))
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
      this.#paragraph.push([item[1], item[2]].filter(Boolean).join(' '))
    } else if (line.trim() && !underline) {
      this.#paragraph.push(line.trim())
    } else {
      this.#flush()
    }
  }

  #heading(level: number, text: string): void {
    if (text.trim()) this.#blocks.push({ kind: 'heading', level, text: this.#cell(text), page: null })
  }

  #flush(): void {
    this.#flushTable()
    this.#flushParagraph()
  }

  #flushParagraph(): void {
    const written = this.#paragraph.join(' ')
    const text = plainText(written)
    if (HTML_TAG.test(written)) this.#html(written)
    else if (text) this.#blocks.push({ kind: this.#isItem ? 'item' : 'text', text, page: null })
    this.#paragraph = []
    this.#isItem = false
  }

  /** An item that holds nothing but inline elements stays one. */
  #html(written: string): void {
    const { blocks } = readPage(parseTree(written), { url: null, includeHidden: false })
    for (const block of blocks) {
      const text = plainText(block.text)
      const isItem = this.#isItem && blocks.length === 1 && block.kind === 'text'
      this.#blocks.push(isItem ? { kind: 'item', text, page: null } : { ...block, text })
    }
    if (/<\/details\s*>/i.test(written)) this.#blocks.push(endOfDetails)
  }

  #flushTable(): void {
    for (const block of tableBlocks(this.#table, null)) this.#blocks.push(block)
    this.#table = []
  }
}

/** Without emphasis and code marks; a link keeps its address in brackets, an image its description. */
function plainText(markdown: string): string {
  return markdown
    .replace(ESCAPED, (_, mark: string) => String.fromCodePoint(ASIDE + mark.charCodeAt(0)))
    .replace(/!\[([^[\]]*)\]\([^)]{0,3000}\)/g, '$1')
    .replace(/\[([^[\]]*)\]\(([^)\s]{0,2000})(?:\s[^)]{0,1000})?\)/g, (_, text: string, url: string) =>
      text === url ? url : `${text} (${url})`,
    )
    .replace(/(?<!~)~~(?=\S)(.{0,1000}?\S)~~(?!~)/g, (_, old: string) => struck(old))
    .replace(/(\*\*|__)(?=\S)(.{0,1000}?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)(.{0,1000}?\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/^>\s?/, '')
    .replace(AUTOLINK, '$1')
    .replace(SET_ASIDE, (sign) => String.fromCharCode((sign.codePointAt(0) ?? ASIDE) - ASIDE))
    .trim()
}

/** Without the marks that may close a heading as they have opened it: "Delivery ##". */
function unclosed(heading: string): string {
  const text = heading.trimEnd()
  let end = text.length
  while (text[end - 1] === '#') end--
  return end === 0 || /\s/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text
}
