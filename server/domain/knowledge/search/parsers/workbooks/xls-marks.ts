// What an old Excel file says of its cells in addition to their values: what is hidden, folded up or struck through. Read from the records of
// its stream, of which the library keeps only the values.
import { CFB } from '@e965/xlsx'
import { STRUCK } from './struck-text.ts'
import type { SheetMarks } from './workbook-marks.ts'

const RECORD = {
  begin: 0x809,
  end: 0xa,
  font: 0x31,
  format: 0xe0,
  sheet: 0x85,
  strings: 0xfc,
  continued: 0x3c,
  row: 0x208,
  columns: 0x7d,
}
const CELL = {
  number: 0x203,
  rk: 0x27e,
  rks: 0xbd,
  label: 0x204,
  sharedLabel: 0xfd,
  richLabel: 0xd6,
  formula: 0x6,
  oldFormula: 0x206,
}
const CELLS = new Set(Object.values(CELL))
/** Bit of a font's flags. */
const STRIKEOUT = 0x8
/** The number that no font has. */
const NO_FONT = 4

type Draft = {
  hiddenRows: Set<number>
  hiddenColumns: Set<number>
  levels: Map<number, number>
  struckCells: Set<string>
  richTexts: Map<string, string>
}

/** Sheets in the order of the file; empty for one that holds no stream of records. */
export function readXlsMarks(bytes: Uint8Array): SheetMarks[] {
  const container = CFB.read(bytes, { type: 'buffer' })
  const content = (CFB.find(container, '/Workbook') ?? CFB.find(container, '/Book'))?.content
  return content ? new RecordReader(Buffer.from(content)).read() : []
}

class RecordReader {
  readonly #stream: Buffer
  readonly #isStruck: boolean[] = []
  readonly #fontOf: number[] = []
  readonly #sheets: { at: number; isHidden: boolean }[] = []
  readonly #drafts = new Map<number, Draft>()
  #strings: (string | null)[] = []
  /** Open streams, outermost first: the book's, a sheet's, and those of charts within a sheet. */
  readonly #open: (Draft | 'book' | 'other')[] = []

  constructor(stream: Buffer) {
    this.#stream = stream
  }

  read(): SheetMarks[] {
    const stream = this.#stream
    for (let at = 0; at + 4 <= stream.length; ) {
      const [kind, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2)]
      try {
        this.#record(kind, at, stream.subarray(at + 4, at + 4 + length))
      } catch (error) {
        if (!(error instanceof RangeError)) throw error // else the record ends before its fields do
      }
      at += 4 + length
    }
    return this.#sheets
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, isHidden }) => ({ isHidden, longNumbers: new Map(), ...(this.#drafts.get(at) ?? newDraft()) }))
  }

  #record(kind: number, at: number, record: Buffer): void {
    const open = this.#open.at(-1)
    if (kind === RECORD.begin) this.#open.push(this.#drafts.get(at) ?? (at === 0 ? 'book' : 'other'))
    else if (kind === RECORD.end) this.#open.pop()
    else if (kind === RECORD.strings) this.#strings = readStrings([record, ...this.#continued(at)], this.#isStruckFont)
    else if (open === 'book') this.#ofBook(kind, record)
    else if (open !== undefined && open !== 'other') this.#ofSheet(kind, record, open)
  }

  readonly #isStruckFont = (number: number): boolean => this.#isStruck[number > NO_FONT ? number - 1 : number] ?? false

  #continued(from: number): Buffer[] {
    const parts: Buffer[] = []
    let at = from + 4 + this.#stream.readUInt16LE(from + 2)
    while (at + 4 <= this.#stream.length && this.#stream.readUInt16LE(at) === RECORD.continued) {
      const length = this.#stream.readUInt16LE(at + 2)
      parts.push(this.#stream.subarray(at + 4, at + 4 + length))
      at += 4 + length
    }
    return parts
  }

  #ofBook(kind: number, record: Buffer): void {
    if (kind === RECORD.font) this.#isStruck.push((record.readUInt16LE(2) & STRIKEOUT) !== 0)
    else if (kind === RECORD.format) this.#fontOf.push(record.readUInt16LE(0))
    else if (kind === RECORD.sheet) {
      const at = record.readUInt32LE(0)
      this.#sheets.push({ at, isHidden: ((record[4] ?? 0) & 3) > 0 })
      this.#drafts.set(at, newDraft())
    }
  }

  #ofSheet(kind: number, record: Buffer, draft: Draft): void {
    if (kind === RECORD.row) readRow(record, draft)
    else if (kind === RECORD.columns) readColumns(record, draft)
    else if (CELLS.has(kind)) this.#cell(kind, record, draft)
  }

  #cell(kind: number, record: Buffer, draft: Draft): void {
    const [row, column] = [record.readUInt16LE(0), record.readUInt16LE(2)]
    const isStruckAt = (offset: number) => this.#isStruckFont(this.#fontOf[record.readUInt16LE(offset)] ?? 0)
    if (kind === CELL.rks) {
      for (let offset = 4; offset + 8 <= record.length; offset += 6)
        if (isStruckAt(offset)) draft.struckCells.add(nameOf(row, column + (offset - 4) / 6))
      return
    }
    if (isStruckAt(4)) draft.struckCells.add(nameOf(row, column))
    const rich = kind === CELL.sharedLabel ? this.#strings[record.readUInt32LE(6)] : null
    if (rich) draft.richTexts.set(nameOf(row, column), rich)
  }
}

function newDraft(): Draft {
  return {
    hiddenRows: new Set(),
    hiddenColumns: new Set(),
    levels: new Map(),
    struckCells: new Set(),
    richTexts: new Map(),
  }
}

/** As in newer files, what is folded up is not hidden. */
function readRow(record: Buffer, { hiddenRows, levels }: Draft): void {
  const [row, flags] = [record.readUInt16LE(0), record[12] ?? 0]
  const level = flags & 7
  if (level > 0) levels.set(row, level)
  else if ((flags & 0x20) !== 0) hiddenRows.add(row)
}

/** By the flag alone: a width of nought without it is what programs write that know no width. */
function readColumns(record: Buffer, { hiddenColumns }: Draft): void {
  const [first, last] = [record.readUInt16LE(0), Math.min(record.readUInt16LE(2), 255)]
  const flags = record.readUInt16LE(8)
  if ((flags & 1) === 0 || ((flags >> 8) & 7) > 0) return
  for (let column = first; column <= last; column++) hiddenColumns.add(column)
}

/** The shared texts of which a part is struck through, with marks around it; null for the others. */
function readStrings(parts: Buffer[], isStruck: (font: number) => boolean): (string | null)[] {
  const reader = new PartReader(parts)
  const texts: (string | null)[] = []
  reader.number(4)
  for (let left = reader.number(4); left > 0 && !reader.isAtEnd; left--) {
    const length = reader.number(2)
    const flags = reader.number(1)
    const runs = flags & 8 ? reader.number(2) : 0
    const added = flags & 4 ? reader.number(4) : 0
    const text = reader.text(length, (flags & 1) !== 0)
    const fonts = Array.from({ length: runs }, () => ({ from: reader.number(2), font: reader.number(2) }))
    reader.skip(added)
    texts.push(fonts.some(({ font }) => isStruck(font)) ? marked(text, fonts, isStruck) : null)
  }
  return texts
}

function marked(text: string, runs: { from: number; font: number }[], isStruck: (font: number) => boolean): string {
  const pieces = [{ from: 0, font: -1 }, ...runs].map(({ from, font }, at) => {
    const piece = text.slice(from, runs[at]?.from)
    return font >= 0 && isStruck(font) && piece.trim() ? STRUCK.open + piece + STRUCK.close : piece
  })
  return pieces.join('')
}

/** A record and those that continue it. A text that goes on in the next one says once more how wide its letters are. */
class PartReader {
  readonly #parts: Buffer[]
  #part = 0
  #at = 0

  constructor(parts: Buffer[]) {
    this.#parts = parts
  }

  get isAtEnd(): boolean {
    return this.#part >= this.#parts.length - 1 && this.#left() === 0
  }

  number(bytes: number): number {
    let value = 0
    for (let at = 0; at < bytes; at++) value += this.#byte() * 256 ** at
    return value
  }

  skip(bytes: number): void {
    for (let left = bytes; left > 0; left--) this.#byte()
  }

  text(length: number, isWide: boolean): string {
    let text = ''
    let wide = isWide
    while (text.length < length) {
      if (this.#left() === 0) {
        this.#next()
        wide = (this.#byte() & 1) !== 0
      }
      const units = Math.min(length - text.length, wide ? this.#left() >> 1 : this.#left())
      if (units === 0) throw new RangeError('Half a letter at the end of a record')
      const bytes = this.#current().subarray(this.#at, this.#at + (wide ? units * 2 : units))
      text += bytes.toString(wide ? 'utf16le' : 'latin1')
      this.#at += bytes.length
    }
    return text
  }

  #current(): Buffer {
    const part = this.#parts[this.#part]
    if (!part) throw new RangeError('The record ends before its texts do')
    return part
  }

  #left(): number {
    return (this.#parts[this.#part]?.length ?? 0) - this.#at
  }

  #next(): void {
    this.#part++
    this.#at = 0
    this.#current()
  }

  #byte(): number {
    while (this.#left() === 0) this.#next()
    return this.#current()[this.#at++] ?? 0
  }
}

function nameOf(row: number, column: number): string {
  const letters = column < 26 ? '' : String.fromCharCode(64 + Math.floor(column / 26))
  return `${letters}${String.fromCharCode(65 + (column % 26))}${row + 1}`
}
