// Excel files as documents: cells as a reader sees them, without what the author has hidden, old values marked as such.
import { type CellObject, utils, type WorkSheet } from '@e965/xlsx'
import type { HiddenCounts } from '#shared/knowledge/knowledge.ts'
import type { ParseLimits } from '../limits.ts'
import { behindLink } from '../link-targets.ts'
import type { ReadOptions } from '../read-options.ts'
import { contentOf } from '../sniff.ts'
import { readRows } from '../tables/workbook.ts'
import { openZip, withoutMainPart } from '../zip.ts'
import { cellsOf, linkOf, type MarkedWorkbook, openXls, openXlsx, struckTextOf } from './marked-workbook.ts'
import { struck } from './struck-text.ts'
import type { SheetMarks } from './workbook-marks.ts'

export type DocumentSheet = { name: string; rows: string[][] }
type Options = ReadOptions & { format: 'xlsx' | 'xls'; limits: ParseLimits }
type Counts = Required<Pick<HiddenCounts, 'rows' | 'columns' | 'sheets' | 'comments'>>

/**
 * Sheets that hold something, in the order of the file. Hidden rows stay as empty ones, so that the others keep their numbers.
 *
 * @throws ParseFailure damaged, password_protected, type_mismatch when the container holds no workbook, too_large
 */
export async function readWorkbook(
  bytes: Uint8Array,
  { format, limits, includeHidden }: Options,
): Promise<{ sheets: DocumentSheet[]; hidden: HiddenCounts }> {
  const isZip = format === 'xlsx' || contentOf(bytes) === 'zip'
  const { book, marks } = isZip ? await openZipped(bytes, limits) : openXls(bytes)
  const hidden: Counts = { rows: 0, columns: 0, sheets: 0, comments: 0 }
  const sheets = book.SheetNames.flatMap((name): DocumentSheet[] => {
    const sheet = book.Sheets[name]
    const mark = marks.get(name)
    if (!sheet) return []
    const rows = seenRows(sheet, mark, { hidden, includeHidden })
    if (!rows.some((row) => row.some(Boolean))) return []
    if (mark?.isHidden) hidden.sheets++
    return mark?.isHidden && !includeHidden ? [] : [{ name, rows }]
  })
  return { sheets, hidden }
}

async function openZipped(bytes: Uint8Array, limits: ParseLimits): Promise<MarkedWorkbook> {
  const zip = await openZip(bytes, limits.zip)
  if (!zip.names.some((name) => /^xl\/workbook\.(?:xml|bin)$/.test(name))) throw withoutMainPart(zip)
  return openXlsx(bytes, zip)
}

function seenRows(
  sheet: WorkSheet,
  marks: SheetMarks | undefined,
  { hidden, includeHidden }: { hidden: Counts; includeHidden: boolean },
): string[][] {
  const formats = cellsOf(sheet).map((row, r) =>
    row?.map((cell, c) => ({
      format: String(cell?.z ?? ''),
      rich: cell && struckTextOf(cell, utils.encode_cell({ r, c }), marks),
      notes: notesOf(cell),
      href: linkOf(cell),
    })),
  )
  const { rows } = readRows(sheet)
  const { s: first } = utils.decode_range(sheet['!ref'] ?? 'A1')
  for (const [at, row] of rows.entries()) {
    for (const [column, text] of row.entries()) {
      const name = utils.encode_cell({ r: at + first.r, c: column + first.c })
      const { format = '', rich = null, notes = '', href } = formats[at + first.r]?.[column + first.c] ?? {}
      const long = marks?.longNumbers.get(name)
      const value = long ?? rich ?? writtenNumber(text, format)
      const shown = value + behindLink(value, href)
      const isStruck = marks?.struckCells.has(name)
      row[column] = (isStruck ? struck(shown) : shown) + (includeHidden && notes ? ` (${notes})` : '')
      if (notes) hidden.comments++
    }
  }
  return withoutHidden(rows, { first, marks, hidden, includeHidden })
}

function withoutHidden(
  rows: string[][],
  {
    first,
    marks,
    hidden,
    includeHidden,
  }: {
    first: { r: number; c: number }
    marks: SheetMarks | undefined
    hidden: Counts
    includeHidden: boolean
  },
): string[][] {
  if (!marks) return rows
  const isHiddenRow = (at: number) => marks.hiddenRows.has(at + first.r)
  const isHiddenColumn = (column: number) => marks.hiddenColumns.has(column + first.c)
  const columns = new Set(
    rows.flatMap((row) => row.flatMap((text, column) => (text && isHiddenColumn(column) ? [column] : []))),
  )
  hidden.columns += columns.size
  hidden.rows += rows.filter((row, at) => isHiddenRow(at) && row.some(Boolean)).length
  if (includeHidden) return rows
  return rows.map((row, at) => {
    if (isHiddenRow(at)) return []
    return columns.size === 0 ? row : row.filter((_, column) => !columns.has(column))
  })
}

function notesOf(cell: CellObject | undefined): string {
  return (cell?.c ?? [])
    .map(({ t }) => (t ?? '').replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('; ')
}

/** A number with the decimals that its format shows, 1.10 and not 1.1, and without powers of ten. */
function writtenNumber(text: string, format: string): string {
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text
  const plain = withoutPower(text)
  const decimals = /0\.(0+)(?![0#?E])/i.exec(format)?.[1]?.length ?? 0
  const own = plain.split('.')[1]?.length ?? 0
  if (decimals === 0 || own >= decimals) return plain
  return `${plain}${own === 0 ? '.' : ''}${'0'.repeat(decimals - own)}`
}

function withoutPower(text: string): string {
  const [, sign = '', whole = '', fraction = '', power] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  if (power === undefined || Math.abs(Number(power)) > 40) return text
  const digits = whole + fraction
  const point = whole.length + Number(power)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length)
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
