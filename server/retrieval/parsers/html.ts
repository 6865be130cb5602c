// HTML → blocks, in one pass over its tags. Scripts, navigation and hidden parts are left out; nothing is loaded or run.
import { Parser } from 'htmlparser2'
import type { Block, ParsedFile } from '../chunking/blocks.ts'
import { decode } from './encoding.ts'
import { tableBlocks } from './table-blocks.ts'
import { newCell, spreadCells, type TableCell } from './table-cells.ts'

const DROPPED = new Set(
  'script style noscript template title nav footer aside svg math iframe object select button'.split(' '),
)
const BLOCKS = new Set(
  `p div section article main header blockquote pre ul ol dl dt dd table caption figure figcaption address form fieldset legend
  details hr center body html`.split(/\s+/),
)
const HEADING_LEVELS: Record<string, number> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6, summary: 6 }
/** Elements without content or end tag. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

export function parseHtml(bytes: Uint8Array): ParsedFile {
  const { text, encoding, isGuess } = decode(bytes, true)
  return {
    blocks: htmlBlocks(text),
    pageCount: null,
    warnings: isGuess ? [{ kind: 'encoding_guessed', encoding }] : [],
  }
}

/** Readable blocks of an HTML document or fragment. */
function htmlBlocks(html: string): Block[] {
  const reader = new HtmlReader()
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    onclosetag: (name) => reader.close(name),
    ontext: (text) => reader.text(text),
  })
  parser.write(html)
  parser.end()
  return reader.finish()
}

type Kind = { kind: 'text' } | { kind: 'item' } | { kind: 'heading'; level: number }

class HtmlReader {
  readonly #blocks: Block[] = []
  /** Open elements that are left out, the outermost first. */
  readonly #dropped: string[] = []
  /** Rows of the open tables, outermost first; nested tables are read into the cell of the outer one. */
  readonly #tables: TableCell[][][] = []
  #kind: Kind = { kind: 'text' }
  #text = ''
  #preformatted = 0

  open(name: string, attributes: Record<string, string>): void {
    if (this.#dropped.length > 0 || DROPPED.has(name) || 'hidden' in attributes) {
      if (!VOID.has(name)) this.#dropped.push(name)
      return
    }
    if (name === 'br') this.text(this.#tables.length > 0 ? ' ' : '\n', true)
    else if (name === 'table') this.#openTable()
    else if (name === 'tr') this.#tables.at(-1)?.push([])
    else if (name === 'td' || name === 'th') this.#openCell(attributes)
    else if (this.#tables.length > 0) this.text(' ')
    else if (name === 'li') this.#begin({ kind: 'item' })
    else if (name in HEADING_LEVELS) this.#begin({ kind: 'heading', level: HEADING_LEVELS[name] ?? 6 })
    else if (BLOCKS.has(name)) this.#flush()
    if (name === 'pre') this.#preformatted++
  }

  close(name: string): void {
    if (this.#dropped.length > 0) {
      if (this.#dropped.at(-1) === name) this.#dropped.pop()
      return
    }
    if (name === 'pre') this.#preformatted--
    if (name === 'table') this.#closeTable()
    else if (this.#tables.length > 0) return
    else if (name === 'li' || name in HEADING_LEVELS) this.#begin({ kind: 'text' })
    else if (BLOCKS.has(name)) this.#flush()
  }

  text(text: string, keepBreaks = this.#preformatted > 0): void {
    if (this.#dropped.length > 0) return
    const plain = keepBreaks ? text : text.replace(/\s+/g, ' ')
    if (this.#tables.length === 0) this.#text += plain
    else {
      const cell = this.#tables.at(-1)?.at(-1)?.at(-1)
      if (cell) cell.text += plain
    }
  }

  finish(): Block[] {
    while (this.#tables.length > 0) this.#closeTable()
    this.#flush()
    return this.#blocks
  }

  #openTable(): void {
    if (this.#tables.length === 0) this.#flush()
    this.#tables.push([])
  }

  #openCell({ colspan, rowspan }: Record<string, string>): void {
    const span = (text = '') => Math.max(1, Number.parseInt(text, 10) || 1)
    this.#tables
      .at(-1)
      ?.at(-1)
      ?.push({ ...newCell(), columns: span(colspan), rows: span(rowspan) })
  }

  #closeTable(): void {
    const rows = spreadCells(this.#tables.pop() ?? [])
    if (this.#tables.length === 0) for (const block of tableBlocks(rows, null)) this.#blocks.push(block)
    else this.text(rows.map((row) => row.map((cell) => cell.trim()).join(', ')).join('; '))
  }

  #begin(kind: Kind): void {
    this.#flush()
    this.#kind = kind
  }

  /** Ends the text so far. What follows is plain text again; an element that has shown no text yet keeps its kind. */
  #flush(): void {
    const lines = this.#text.split('\n').map((line) => line.trim())
    const text = lines.filter(Boolean).join('\n')
    this.#text = ''
    if (!text) return
    const kind = this.#kind
    this.#kind = { kind: 'text' }
    if (kind.kind === 'heading') this.#blocks.push({ ...kind, text: text.replaceAll('\n', ' '), page: null })
    else this.#blocks.push({ ...kind, text, page: null })
  }
}
