// The main part of a DOCX → blocks, in one pass over its tags: paragraphs, list items, tables, notes. Text that was moved away is skipped,
// deleted and hidden text is counted, and read where that is asked for.
import { Parser } from 'htmlparser2'
import type { HiddenCounts } from '#shared/knowledge/knowledge.ts'
import type { Block } from '../../chunking/blocks.ts'
import { behindLink, fieldTarget } from '../link-targets.ts'
import type { Candidate } from '../promote-headings.ts'
import { type Shift, shifted } from '../shifted-digits.ts'
import { tableBlocks } from '../table-blocks.ts'
import { newCell, spreadCells, type TableCell } from '../table-cells.ts'
import { struck, withStruck } from '../workbooks/struck-text.ts'
import { type Numbering, ParagraphCounter } from './docx-numbering.ts'
import { isOn, type Styles } from './docx-styles.ts'
import { symbolOf } from './docx-symbols.ts'

/** Elements whose content is not the document's, or no longer. A fallback repeats what its choice says. */
const SKIPPED = new Set(['w:moveFrom', 'mc:Fallback', 'w:sectPr', 'w:pPrChange', 'w:rPrChange'])
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
/** How the text of a run looks. */
type Run = { isBold: boolean; isStruck: boolean; isHidden: boolean; shift?: Shift | undefined }
type Parts = {
  styles: Styles
  notes: ReadonlyMap<string, string>
  numbering: Numbering | null
  /** Id of a relation → where it leads. */
  links: ReadonlyMap<string, string>
  /** Whether hidden and deleted text is read, too: the latter as struck through. */
  includeHidden: boolean
}
type Body = { blocks: (Block | Candidate)[]; hidden: HiddenCounts }

const SHIFTS: Record<string, Shift> = { superscript: 'sup', subscript: 'sub' }
const PLAIN: Run = { isBold: false, isStruck: false, isHidden: false }

/** Blocks in reading order; texts say whether they are bold. */
export function readBody(xml: string, parts: Parts): Body {
  const reader = new BodyReader(parts)
  readXml(xml, reader)
  return { blocks: reader.blocks, hidden: reader.hidden }
}

/** `footnote 3` → its text. The separators that Word keeps among the notes have no text. */
export function readNotes(xml: string, kind: 'footnote' | 'endnote' | 'comment'): Map<string, string> {
  const notes = new Map<string, string>()
  if (!xml) return notes
  let id = ''
  const parts: Parts = { styles: new Map(), notes: new Map(), numbering: null, links: new Map(), includeHidden: false }
  const reader = new BodyReader(parts, (name, attributes) => {
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
  readonly hidden = { rows: 0, texts: 0, deletions: 0 }
  onBlock = (block: Block | Candidate): void => void this.blocks.push(block)
  readonly #parts: Parts
  readonly #counter: ParagraphCounter | null
  readonly #onOpen: (name: string, attributes: Record<string, string>) => void
  /** Open paragraphs: a text box holds paragraphs inside one. */
  readonly #paragraphs: Paragraph[] = []
  readonly #tables: Table[] = []
  /** How many paragraphs each of them stands in: one of a text box stands in the paragraph that holds the box. */
  readonly #tableDepths: number[] = []
  /** Of the open rows, outermost first: whether the author has deleted or hidden each. */
  readonly #rows: { isDeleted: boolean; isHidden: boolean }[] = []
  #skipped = 0
  #deleted = 0
  #isText = false
  #run: Run = PLAIN
  #isRunProperties = false
  #isRowProperties = false
  #wasHidden = false
  #link: { href: string | undefined; text: string } | null = null
  /** Open fields, outermost first: what each is to show, and the text that it shows. Links of older programs are fields. */
  readonly #fields: { instruction: string; text: string }[] = []
  #isInstruction = false

  constructor(parts: Parts, onOpen: BodyReader['open'] = () => {}) {
    this.#parts = parts
    this.#counter = parts.numbering && new ParagraphCounter(parts.numbering)
    this.#onOpen = onOpen
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.#skipped > 0 || SKIPPED.has(name)) {
      if (SKIPPED.has(name)) this.#skipped++
      return
    }
    this.#onOpen(name, attributes)
    if (name === 'w:del' || name === 'w:cellDel') this.#openDeletion(name)
    else if (name.startsWith('w:t')) this.#openText(name)
    else if (name === 'w:instrText' || name.startsWith('w:fld')) this.#openField(name, attributes)
    else this.#openParagraph(name, attributes)
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      if (SKIPPED.has(name)) this.#skipped--
      return
    }
    if (name === 'w:t' || name === 'w:delText' || name === 'm:t') this.#isText = false
    else if (name === 'w:hyperlink') this.#endLink()
    else if (name === 'w:instrText') this.#isInstruction = false
    else if (name === 'w:fldSimple') this.#endField()
    else if (name === 'w:rPr') this.#isRunProperties = false
    else if (name === 'w:trPr') this.#isRowProperties = false
    else if (name === 'w:del' && this.#deleted > 0) this.#deleted--
    else if (name === 'w:p') this.#endParagraph()
    else if (name === 'w:tr') this.#endRow()
    else if (name === 'w:tbl') this.#endTable()
  }

  text(text: string): void {
    const field = this.#fields.at(-1)
    if (this.#skipped > 0) return
    if (this.#isInstruction && field) field.instruction += text
    else if (this.#isText) this.#add(this.#run.shift ? shifted(text, this.#run.shift) : text)
  }

  /** Of a row, a cell, the mark of a paragraph, or of text; in the last case it is closed behind the text. */
  #openDeletion(name: string): void {
    const row = this.#rows.at(-1)
    const cell = this.#tables.at(-1)?.at(-1)?.at(-1)
    if (name === 'w:cellDel') {
      if (cell) cell.isDeleted = true
    } else if (this.#isRowProperties) {
      if (row) row.isDeleted = true
    } else if (!this.#isRunProperties) this.hidden.deletions++
    this.#deleted += name === 'w:del' ? 1 : 0
  }

  /** Text, tabs and tables: all names that begin with `w:t`. */
  #openText(name: string): void {
    const table = this.#tables.at(-1)
    if (name === 'w:t') this.#isText = true
    else if (name === 'w:tab') this.#add('\t')
    else if (name === 'w:tbl') this.#openTable()
    else if (name === 'w:trPr') this.#isRowProperties = true
    else if (name === 'w:tr') {
      table?.push([])
      this.#rows.push({ isDeleted: false, isHidden: false })
    } else if (name === 'w:tc') table?.at(-1)?.push(newCell())
  }

  #openTable(): void {
    this.#tables.push([])
    this.#tableDepths.push(this.#paragraphs.length)
  }

  #openParagraph(name: string, attributes: Record<string, string>): void {
    const value = attributes['w:val'] ?? ''
    const paragraph = this.#paragraphs.at(-1)
    const cell = this.#tables.at(-1)?.at(-1)?.at(-1)
    const row = this.#rows.at(-1)
    if (name === 'w:p') this.#paragraphs.push(newParagraph())
    else if (name === 'w:hidden' && this.#isRowProperties && row) row.isHidden = isOn(attributes)
    else if (name === 'w:vMerge' && cell) cell.continues = value !== 'restart'
    else if (name === 'w:gridSpan' && cell) cell.columns = Number(value) || 1
    else if (!paragraph) return
    else if (name === 'w:br' || name === 'w:cr') this.#add('\n')
    else if (name === 'w:noBreakHyphen') this.#add('-')
    else if (name === 'w:sym') this.#add(symbolOf(attributes['w:font'], attributes['w:char']))
    else if (name === 'w:pStyle') paragraph.styleId = value
    else if (name === 'w:outlineLvl') paragraph.outlineLevel = Number(value)
    else if (name === 'w:numId') paragraph.numbering = value
    else if (name === 'w:ilvl') paragraph.level = Number(value)
    else if (name === 'w:r') this.#run = this.#parts.styles.get(paragraph.styleId) ?? PLAIN
    else if (name === 'w:rPr') this.#isRunProperties = true
    else if (name === 'w:hyperlink') this.#link = { href: this.#parts.links.get(attributes['r:id'] ?? ''), text: '' }
    else if (name === 'w:delText' || name === 'm:t') this.#isText = true
    else if (this.#isRunProperties) this.#runProperty(name, attributes)
    else if (name === 'w:footnoteReference') paragraph.notes.push(`footnote ${attributes['w:id']}`)
    else if (name === 'w:endnoteReference') paragraph.notes.push(`endnote ${attributes['w:id']}`)
  }

  #openField(name: string, attributes: Record<string, string>): void {
    if (name === 'w:instrText') this.#isInstruction = true
    else if (name === 'w:fldSimple') this.#fields.push({ instruction: attributes['w:instr'] ?? '', text: '' })
    else if (attributes['w:fldCharType'] === 'begin') this.#fields.push({ instruction: '', text: '' })
    else if (attributes['w:fldCharType'] === 'end') this.#endField()
  }

  #endField(): void {
    const field = this.#fields.pop()
    const paragraph = this.#paragraphs.at(-1)
    if (field && paragraph) paragraph.text += behindLink(field.text, fieldTarget(field.instruction))
  }

  #endLink(): void {
    const link = this.#link
    const paragraph = this.#paragraphs.at(-1)
    this.#link = null
    if (link && paragraph) paragraph.text += behindLink(link.text, link.href)
  }

  #runProperty(name: string, attributes: Record<string, string>): void {
    const value = isOn(attributes)
    if (name === 'w:rStyle') {
      const {
        isBold = false,
        isStruck = false,
        isHidden = false,
      } = this.#parts.styles.get(attributes['w:val'] ?? '') ?? {}
      const run = this.#run
      this.#run = {
        ...run,
        isBold: run.isBold || isBold,
        isStruck: run.isStruck || isStruck,
        isHidden: run.isHidden || isHidden,
      }
    } else if (name === 'w:b') this.#run = { ...this.#run, isBold: value }
    else if (name === 'w:strike' || name === 'w:dstrike') this.#run = { ...this.#run, isStruck: value }
    else if (name === 'w:vanish') this.#run = { ...this.#run, isHidden: value }
    else if (name === 'w:vertAlign') this.#run = { ...this.#run, shift: SHIFTS[attributes['w:val'] ?? ''] }
  }

  #add(text: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph) return
    if (this.#run.isHidden && !this.#wasHidden && text.trim()) this.hidden.texts++
    if (text.trim()) this.#wasHidden = this.#run.isHidden
    if ((this.#run.isHidden || this.#deleted > 0) && !this.#parts.includeHidden) return
    const isStruck = this.#run.isStruck || this.#deleted > 0
    if (this.#link) this.#link.text += text
    for (const field of this.#fields) field.text += text
    paragraph.text = isStruck ? withStruck(paragraph.text, text) : paragraph.text + text
    const letters = text.replace(/\s/g, '').length
    paragraph.letters += letters
    if (this.#run.isBold) paragraph.boldLetters += letters
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    if (!paragraph) return
    this.#run = PLAIN
    const text = this.#numbered(paragraph, tidy(paragraph.text))
    const noteTexts = paragraph.notes.flatMap((key) => this.#parts.notes.get(key) ?? [])
    const outer = this.#paragraphs.at(-1)
    const isOfCell = this.#tableDepths.at(-1) === this.#paragraphs.length
    if (isOfCell) this.#addToCell([text, ...noteTexts].join(' '))
    else if (outer && this.#tables.length > 0) outer.text += ` ${text} `
    else {
      if (text) this.onBlock(this.#blockOf(paragraph, text))
      for (const note of noteTexts) this.onBlock({ kind: 'text', text: tidy(note), page: null })
    }
  }

  /** With the number that Word writes before it; a paragraph without text has none. */
  #numbered(paragraph: Paragraph, text: string): string {
    paragraph.isListItem = paragraph.numbering !== null && paragraph.numbering !== '0'
    if (!text || !this.#counter) return text
    const ofStyle = this.#parts.styles.get(paragraph.styleId)?.numbering
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
    return this.#parts.styles.get(styleId)?.headingLevel ?? null
  }

  #addToCell(text: string): void {
    const cell = this.#tables.at(-1)?.at(-1)?.at(-1)
    if (cell) cell.text = `${cell.text} ${text}`.trim()
  }

  /** A row that was deleted or hidden goes, with its count; one that is asked for is marked as old. */
  #endRow(): void {
    const state = this.#rows.pop()
    const rows = this.#tables.at(-1)
    const row = rows?.at(-1)
    if (!state || !rows || !row) return
    for (const cell of row) {
      if (!cell.isDeleted && !state.isDeleted) continue
      if (!state.isDeleted) this.hidden.deletions++
      cell.text = this.#parts.includeHidden ? struck(cell.text) : ''
    }
    if (!state.isDeleted && !state.isHidden) return
    if (row.some(({ text }) => text) || state.isDeleted) this.hidden[state.isDeleted ? 'deletions' : 'rows']++
    if (!this.#parts.includeHidden) rows.pop()
  }

  #endTable(): void {
    const table = this.#tables.pop()
    this.#tableDepths.pop()
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
