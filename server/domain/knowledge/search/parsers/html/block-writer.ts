// Text as it comes in reading order → blocks: where one ends, what kind it is, which table cell it stands in.
import type { Block } from '../../chunking/blocks.ts'
import { saysContact } from '../contacts.ts'
import { tableBlocks } from '../table-blocks.ts'
import { newCell, spreadCells, type TableCell } from '../table-cells.ts'
import { isBlank, STRUCK } from '../workbooks/struck-text.ts'
import { type Edges, needsSpace } from './writing.ts'

export type Kind = { kind: 'text' } | { kind: 'item' } | { kind: 'heading'; level: number }

/** Characters that are looked at to tell whether a space belongs between two pieces. */
const END = 4

export class BlockWriter {
  readonly #blocks: Block[] = []
  readonly #frame: Block[] = []
  /** Rows of the open tables, outermost first; nested tables are read into the cell of the outer one. */
  readonly #tables: TableCell[][][] = []
  #kind: Kind = { kind: 'text' }
  #text = ''
  /** The last characters of the present block or cell: reading the text itself would flatten it each time. */
  #end = ''
  #edges: Edges = { closed: false, opened: false, piece: '' }
  #struck = 0
  #frameDepth = 0

  /** Whether text goes into the cell of a table. */
  get isInTable(): boolean {
    return this.#tables.length > 0
  }

  /** How much of the present block or cell is written. */
  get length(): number {
    return this.#sink.length
  }

  write(text: string): void {
    if (text === '') return
    const space = needsSpace(plainEnd(this.#end), text, this.#edges) ? ' ' : ''
    this.#append(space + text)
    this.#edges = { closed: false, opened: false, piece: text }
  }

  /** Notes the edge of an inline element. */
  edge(which: 'closed' | 'opened'): void {
    this.#edges[which] = true
  }

  /** A space or a line break between what was written and what comes. */
  breakLine(): void {
    this.#append(this.isInTable ? ' ' : '\n')
  }

  /** `isAroundCells`: a cell or more of them begin within it, and say themselves that they are struck. */
  openStruck(isAroundCells: boolean): void {
    if (this.#struck++ === 0 && !isAroundCells) this.#append(STRUCK.open)
  }

  closeStruck(): void {
    if (--this.#struck === 0) this.#append(STRUCK.close)
  }

  openFrame(): void {
    if (this.#frameDepth === 0) this.begin({ kind: 'text' })
    this.#frameDepth++
  }

  closeFrame(): void {
    if (this.#frameDepth === 1) this.begin({ kind: 'text' })
    this.#frameDepth--
  }

  openTable(): void {
    if (!this.isInTable) this.flush()
    this.#tables.push([])
  }

  openRow(): void {
    this.#tables.at(-1)?.push([])
  }

  openCell(columns: number, rows: number): void {
    const row = this.#tables.at(-1)?.at(-1)
    this.#end = ''
    row?.push({ ...newCell(), columns, rows, text: this.#struck > 0 ? STRUCK.open : '' })
  }

  closeCell(): void {
    if (this.#struck > 0) this.#append(STRUCK.close)
  }

  closeTable(): void {
    const rows = spreadCells(this.#tables.pop() ?? [])
    this.#end = ' '
    if (this.isInTable) this.write(rows.map((row) => row.map((cell) => cell.trim()).join(', ')).join('; '))
    else for (const block of tableBlocks(rows, null)) this.#add(block)
  }

  begin(kind: Kind): void {
    this.flush()
    this.#kind = kind
  }

  /** What follows is no longer under a heading of this level. */
  endSection(level: number): void {
    if (this.isInTable) return
    this.begin({ kind: 'text' })
    this.#add({ kind: 'heading', level, text: '', page: null })
  }

  /** Ends the text so far. What follows is plain text again; an element that has shown no text yet keeps its kind. */
  flush(): void {
    if (this.isInTable) {
      this.breakLine()
      return
    }
    const isStruck = this.#struck > 0
    const lines = (this.#text + (isStruck ? STRUCK.close : '')).split('\n').map((line) => line.trim())
    const text = lines.filter(Boolean).join('\n')
    this.#text = isStruck ? STRUCK.open : ''
    this.#end = ''
    if (isBlank(text)) return
    const kind = this.#kind
    this.#kind = { kind: 'text' }
    if (kind.kind === 'heading') this.#add({ ...kind, text: text.replaceAll('\n', ' '), page: null })
    else this.#add({ ...kind, text, page: null })
  }

  /** All blocks. Of the frame of the page, what tells how to reach the business stands first, under no heading; all of it if there is nothing else. */
  finish(): Block[] {
    while (this.isInTable) this.closeTable()
    this.flush()
    if (this.#blocks.length === 0) return this.#frame.filter(isNeeded)
    const known = new Set<string>()
    const contacts = this.#frame.filter(({ kind, text }) => {
      if (kind === 'heading' || known.has(text) || !saysContact(text)) return false
      known.add(text)
      return true
    })
    return [...contacts, ...this.#blocks.filter(isNeeded)]
  }

  #add(block: Block): void {
    if (this.#frameDepth > 0) this.#frame.push(block)
    else this.#blocks.push(block)
  }

  get #sink(): string {
    return this.isInTable ? (this.#tables.at(-1)?.at(-1)?.at(-1)?.text ?? '') : this.#text
  }

  #append(text: string): void {
    this.#end = (this.#end + text.slice(-END)).slice(-END)
    if (!this.isInTable) this.#text += text
    else {
      const cell = this.#tables.at(-1)?.at(-1)?.at(-1)
      if (cell) cell.text += text
    }
  }
}

/** Whether a block says something: an end of a section does where a text follows it. */
export function isNeeded(block: Block, at: number, blocks: Block[]): boolean {
  const next = blocks[at + 1]
  return block.kind !== 'heading' || block.text !== '' || (next !== undefined && next.kind !== 'heading')
}

/** The last characters, without marks. */
function plainEnd(text: string): string {
  return text.replaceAll(STRUCK.open, '').replaceAll(STRUCK.close, ' ')
}
