// Writes old Excel files record by record, with what the library cannot write: struck fonts, texts of several fonts, hidden and folded rows.
import { CFB } from '@e965/xlsx'

/** `runs`: from which letter on a part of the text is struck through, and from which no longer. */
export type OldCell = string | number | { value: string | number; isStruck?: boolean; runs?: [number, number] }
export type OldSheet = {
  name: string
  rows: OldCell[][]
  isHidden?: boolean
  hiddenRows?: number[]
  foldedRows?: number[]
  hiddenColumns?: number[]
}

const [PLAIN, STRUCK] = [0, 1]

/** The bytes of an XLS file. `cutAt`: how many bytes of the shared texts stand in their first record, the others in one that continues it. */
export function oldWorkbook(sheets: OldSheet[], cutAt?: number): Uint8Array {
  const strings = sharedStrings(sheets)
  const bodies = sheets.map((sheet) => bodyOf(sheet, strings.indexes))
  const names = sheets.map(({ name }) => Buffer.from(name, 'utf16le'))
  const head = Buffer.concat([
    record(0x809, words(0x600, 5, 0, 0, 0, 0, 0, 0)),
    ...[PLAIN, STRUCK].map((kind) => record(0x31, fontOf(kind === STRUCK))),
    ...[PLAIN, STRUCK].map((font) => record(0xe0, words(font, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
  ])
  const texts =
    cutAt === undefined
      ? record(0xfc, strings.content)
      : Buffer.concat([
          record(0xfc, strings.content.subarray(0, cutAt)),
          record(0x3c, Buffer.concat([Buffer.from([1]), strings.content.subarray(cutAt)])),
        ])
  const tail = Buffer.concat([texts, record(0xa, Buffer.alloc(0))])
  let at = head.length + tail.length + names.reduce((sum, name) => sum + 4 + 8 + name.length, 0)
  const directory = sheets.map(({ isHidden }, index) => {
    const name = names[index] ?? Buffer.alloc(0)
    const entry = Buffer.concat([Buffer.alloc(4), Buffer.from([isHidden ? 1 : 0, 0, name.length / 2, 1]), name])
    entry.writeUInt32LE(at)
    at += bodies[index]?.length ?? 0
    return record(0x85, entry)
  })
  const container = CFB.utils.cfb_new()
  CFB.utils.cfb_add(container, '/Workbook', Buffer.concat([head, ...directory, tail, ...bodies]))
  return new Uint8Array(CFB.write(container, { type: 'buffer' }))
}

function contentOf(cell: OldCell): string | number {
  return typeof cell === 'object' ? cell.value : cell
}

function sharedStrings(sheets: OldSheet[]): { content: Buffer; indexes: Map<OldCell, number> } {
  const cells = sheets.flatMap(({ rows }) => rows.flat()).filter((cell) => typeof contentOf(cell) === 'string')
  const indexes = new Map(cells.map((cell, at) => [cell, at]))
  const texts = cells.map((cell) => {
    const text = String(contentOf(cell))
    const runs = typeof cell === 'object' && cell.runs ? cell.runs : []
    const fonts = runs.map((from, at) => words(from, at === 0 ? STRUCK : PLAIN))
    const start = Buffer.concat([words(text.length), Buffer.from([runs.length > 0 ? 9 : 1])])
    return Buffer.concat([start, ...(runs.length > 0 ? [words(2)] : []), Buffer.from(text, 'utf16le'), ...fonts])
  })
  return { content: Buffer.concat([words(cells.length, 0, cells.length, 0), ...texts]), indexes }
}

function bodyOf(
  { rows, hiddenRows = [], foldedRows = [], hiddenColumns = [] }: OldSheet,
  indexes: Map<OldCell, number>,
) {
  const columns = hiddenColumns.map((column) => record(0x7d, words(column, column, 2000, 0, 1, 0)))
  const width = Math.max(...rows.map((row) => row.length))
  const cells = rows.flatMap((row, at) => {
    const flags = (hiddenRows.includes(at) ? 0x20 : 0) | (foldedRows.includes(at) ? 0x21 : 0)
    const start = record(0x208, words(at, 0, width, 255, 0, 0, flags, 0))
    return [start, ...row.map((cell, column) => cellRecord(cell, { row: at, column }, indexes))]
  })
  const dimensions = record(0x200, words(0, 0, rows.length, 0, 0, width, 0))
  return Buffer.concat([
    record(0x809, words(0x600, 0x10, 0, 0, 0, 0, 0, 0)),
    ...columns,
    dimensions,
    ...cells,
    record(0xa, Buffer.alloc(0)),
  ])
}

function cellRecord(cell: OldCell, { row, column }: { row: number; column: number }, indexes: Map<OldCell, number>) {
  const value = contentOf(cell)
  const place = words(row, column, typeof cell === 'object' && cell.isStruck ? STRUCK : PLAIN)
  if (typeof value === 'string') return record(0xfd, Buffer.concat([place, words(indexes.get(cell) ?? 0, 0)]))
  const number = Buffer.alloc(8)
  number.writeDoubleLE(value)
  return record(0x203, Buffer.concat([place, number]))
}

function fontOf(isStruck: boolean): Buffer {
  return Buffer.concat([words(200, isStruck ? 8 : 0, 0x7fff, 400, 0, 0, 0), Buffer.from([5, 0]), Buffer.from('Arial')])
}

function record(kind: number, content: Buffer): Buffer {
  return Buffer.concat([words(kind, content.length), content])
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) buffer.writeUInt16LE(value, at * 2)
  return buffer
}
