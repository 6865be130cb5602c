// The main part of a DOCX → blocks, in one pass over its tags: paragraphs, list items, tables, notes. Deleted and moved-away text is skipped.
import { Parser } from 'htmlparser2'
import type { Block } from '../chunking/blocks.ts'
import { type Numbering, ParagraphCounter } from './docx-numbering.ts'
import { isOn, type Styles } from './docx-styles.ts'
import type { Candidate } from './promote-headings.ts'
import { tableBlocks } from './table-blocks.ts'
import { newCell, spreadCells, type TableCell } from './table-cells.ts'

/** Elements whose content is not the document's, or no longer. A fallback repeats what its choice says. */
const SKIPPED = new Set([
  'w:del',
  'w:moveFrom',
  'mc:Fallback',
  'w:instrText',
  'w:delText',
  'w:pict',
  'w:sectPr',
  'w:pPrChange',
  'w:rPrChange',
])
const BODY_LEVEL = 9

type Paragraph = {
  text: string
  boldLetters: number
  letters: number
  styleId: string
  outlineLevel: number | null
  isListItem: boolean
  /** Of its own; without one, its style may have one. */
  numbering: string | null
  level: number | null
  notes: string[]
}
type Table = TableCell[][]

/** Blocks in reading order; texts say whether they are bold. */
export function readBody(
  xml: string,
  styles: Styles,
  notes: ReadonlyMap<string, string>,
  numbering: Numbering,
): (Block | Candidate)[] {
  const reader = new BodyReader(styles, notes, new ParagraphCounter(numbering))
  readXml(xml, reader)
  return reader.blocks
}

/** `footnote 3` → its text. The separators that Word keeps among the notes have no text. */
export function readNotes(xml: string, kind: 'footnote' | 'endnote'): Map<string, string> {
  const notes = new Map<string, string>()
  if (!xml) return notes
  let id = ''
  const reader = new BodyReader(new Map(), new Map(), null, (name, attributes) => {
    if (name === `w:${kind}`) id = attributes['w:id'] ?? ''
  })
  reader.onBlock = (block) => {
    const key = `${kind} ${id}`
    const text = [notes.get(key), block.text].filter(Boolean).join(' ')
    if (text.trim()) notes.set(key, text)
  }
  readXml(xml, reader)
  return notes
}

function readXml(xml: string, reader: BodyReader): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      onclosetag: (name) => reader.close(name),
      ontext: (text) => reader.text(text),
    },
    { xmlMode: true },
  )
  parser.end(xml)
}

class BodyReader {
  readonly blocks: (Block | Candidate)[] = []
  onBlock = (block: Block | Candidate): void => void this.blocks.push(block)
  readonly #styles: Styles
  readonly #notes: ReadonlyMap<string, string>
  readonly #counter: ParagraphCounter | null
  readonly #onOpen: (name: string, attributes: Record<string, string>) => void
  /** Open paragraphs: a text box holds paragraphs inside one. */
  readonly #paragraphs: Paragraph[] = []
  readonly #tables: Table[] = []
  #skipped = 0
  #isText = false
  #isBold = false
  #isRunProperties = false

  constructor(
    styles: Styles,
    notes: ReadonlyMap<string, string>,
    counter: ParagraphCounter | null,
    onOpen: BodyReader['open'] = () => {},
  ) {
    this.#styles = styles
    this.#counter = counter
    this.#notes = notes
    this.#onOpen = onOpen
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.#skipped > 0 || SKIPPED.has(name)) {
      if (SKIPPED.has(name)) this.#skipped++
      return
    }
    this.#onOpen(name, attributes)
    if (name.startsWith('w:t')) this.#openText(name)
    else this.#openParagraph(name, attributes)
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      if (SKIPPED.has(name)) this.#skipped--
      return
    }
    if (name === 'w:t') this.#isText = false
    else if (name === 'w:rPr') this.#isRunProperties = false
    else if (name === 'w:p') this.#endParagraph()
    else if (name === 'w:tbl') this.#endTable()
  }

  text(text: string): void {
    if (this.#skipped === 0 && this.#isText) this.#add(text)
  }

  /** Text, tabs and tables: all names that begin with `w:t`. */
  #openText(name: string): void {
    const table = this.#tables.at(-1)
    if (name === 'w:t') this.#isText = true
    else if (name === 'w:tab') this.#add('\t')
    else if (name === 'w:tbl') this.#tables.push([])
    else if (name === 'w:tr') table?.push([])
    else if (name === 'w:tc') table?.at(-1)?.push(newCell())
  }

  #openParagraph(name: string, attributes: Record<string, string>): void {
    const value = attributes['w:val'] ?? ''
    const paragraph = this.#paragraphs.at(-1)
    const cell = this.#tables.at(-1)?.at(-1)?.at(-1)
    if (name === 'w:p') this.#paragraphs.push(newParagraph())
    else if (name === 'w:vMerge' && cell) cell.continues = value !== 'restart'
    else if (name === 'w:gridSpan' && cell) cell.columns = Number(value) || 1
    else if (!paragraph) return
    else if (name === 'w:br' || name === 'w:cr') this.#add('\n')
    else if (name === 'w:noBreakHyphen') this.#add('-')
    else if (name === 'w:pStyle') paragraph.styleId = value
    else if (name === 'w:outlineLvl') paragraph.outlineLevel = Number(value)
    else if (name === 'w:numId') paragraph.numbering = value
    else if (name === 'w:ilvl') paragraph.level = Number(value)
    else if (name === 'w:r') this.#isBold = this.#styles.get(paragraph.styleId)?.isBold ?? false
    else if (name === 'w:rPr') this.#isRunProperties = true
    else if (name === 'w:b' && this.#isRunProperties) this.#isBold = isOn(attributes)
    else if (name === 'w:footnoteReference') paragraph.notes.push(`footnote ${attributes['w:id']}`)
    else if (name === 'w:endnoteReference') paragraph.notes.push(`endnote ${attributes['w:id']}`)
  }

  #add(text: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph) return
    paragraph.text += text
    const letters = text.replace(/\s/g, '').length
    paragraph.letters += letters
    if (this.#isBold) paragraph.boldLetters += letters
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    if (!paragraph) return
    this.#isBold = false
    const text = this.#numbered(paragraph, tidy(paragraph.text))
    const noteTexts = paragraph.notes.flatMap((key) => this.#notes.get(key) ?? [])
    const outer = this.#paragraphs.at(-1)
    if (outer) outer.text += ` ${text}`
    else if (this.#tables.length > 0) this.#addToCell([text, ...noteTexts].join(' '))
    else {
      if (text) this.onBlock(this.#blockOf(paragraph, text))
      for (const note of noteTexts) this.onBlock({ kind: 'text', text: tidy(note), page: null })
    }
  }

  /** With the number that Word writes before it; a paragraph without text has none. */
  #numbered(paragraph: Paragraph, text: string): string {
    paragraph.isListItem = paragraph.numbering !== null && paragraph.numbering !== '0'
    if (!text || !this.#counter) return text
    const ofStyle = this.#styles.get(paragraph.styleId)?.numbering
    const id = paragraph.numbering ?? ofStyle?.id ?? '0'
    return `${this.#counter.next(id, paragraph.level ?? ofStyle?.level ?? 0)} ${text}`.trim()
  }

  #blockOf(paragraph: Paragraph, text: string): Block | Candidate {
    const level = this.#headingLevel(paragraph)
    if (level !== null) return { kind: 'heading', level, text: text.replaceAll('\n', ' '), page: null }
    if (paragraph.isListItem) return { kind: 'item', text, page: null }
    const isBold = paragraph.letters > 0 && paragraph.boldLetters === paragraph.letters
    return { kind: 'text', text, page: null, isBold }
  }

  #headingLevel({ outlineLevel, styleId }: Paragraph): number | null {
    if (outlineLevel !== null) return outlineLevel < BODY_LEVEL ? outlineLevel + 1 : null
    return this.#styles.get(styleId)?.headingLevel ?? null
  }

  #addToCell(text: string): void {
    const cell = this.#tables.at(-1)?.at(-1)?.at(-1)
    if (cell) cell.text = `${cell.text} ${text}`.trim()
  }

  #endTable(): void {
    const table = this.#tables.pop()
    if (!table) return
    const rows = spreadCells(table)
    if (this.#tables.length > 0) this.#addToCell(rows.map((row) => row.join(', ')).join('; '))
    else for (const block of tableBlocks(rows, null)) this.onBlock(block)
  }
}

function newParagraph(): Paragraph {
  return {
    text: '',
    boldLetters: 0,
    letters: 0,
    styleId: '',
    outlineLevel: null,
    isListItem: false,
    numbering: null,
    level: null,
    notes: [],
  }
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[\t\u00a0 ]+/g, ' ').trim())
    .filter(Boolean)
    .join('\n')
}
