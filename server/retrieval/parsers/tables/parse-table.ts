// One spreadsheet → typed columns and rows, in the process in which it is called: that is the guarded child, see table-file.ts.
import { readCsv } from '#shared/csv.ts'
import { TABLE_ROWS_MAX, TABLE_SHEETS_MAX } from '#shared/limits.ts'
import type { TableFormat, TableWarning } from '#shared/tables.ts'
import { decode } from '../encoding.ts'
import { headerRowAt, readHeader } from '../header-row.ts'
import type { ParseLimits } from '../limits.ts'
import { ParseFailure } from '../parse-failure.ts'
import { contentOf } from '../sniff.ts'
import { type ChosenTypes, type TypedTable, typeColumns } from './column-types.ts'
import { outlineOf } from './outline.ts'
import type { WorkbookSheet } from './workbook.ts'

/** `sheet`: which of a workbook was read; `sheets`: those that hold something. Null and empty for no workbook. */
export type ParsedTable = TypedTable & { warnings: TableWarning[]; sheet: string | null; sheets: string[] }

/** The sheets of a file; a file without sheets is one without a name. */
type Sheet = { name: string | null; rows: string[][]; levels: number[] }
type Content = { sheets: Sheet[]; warnings: TableWarning[] }

const COLUMNS_MAX = 100
const COLUMN_NAME_MAX = 100
/** Programs allow 31. */
const SHEET_NAME_MAX = 100
/** What stands at the beginning of a row of sums. */
const TOTAL = /^(?:общий итог|итого?(?: по .*)?|всего|(?:grand |sub-?)?total)\s*:?$/iu
/** Rows that a warning names. */
const NAMED_ROWS = 10

/**
 * @param wanted the sheet of a workbook; null: the first of which a table can be made
 * @param choices types that people have chosen for its columns
 * @throws ParseFailure with the reason when the file cannot be used
 */
export async function parseTable(
  bytes: Uint8Array,
  format: TableFormat,
  limits: ParseLimits,
  wanted: string | null = null,
  choices: ChosenTypes = [],
): Promise<ParsedTable> {
  const { sheets, warnings } = await readContent(bytes, format, limits)
  const chosen = wanted === null ? sheets : sheets.filter(({ name }) => name === wanted)
  let failure = new ParseFailure('empty')
  for (const [at, sheet] of chosen.entries()) {
    try {
      const table = tableOf(sheet, format, limits, choices)
      const names = sheets.flatMap(({ name }) => name ?? [])
      return { ...table, warnings: [...warnings, ...table.warnings], sheet: sheet.name, sheets: names }
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error
      if (at === 0) failure = error
    }
  }
  throw failure
}

function tableOf(
  { rows, levels }: Sheet,
  format: TableFormat,
  limits: ParseLimits,
  choices: ChosenTypes,
): TypedTable & { warnings: TableWarning[] } {
  const warnings: TableWarning[] = []
  const leveled = rows
    .map((row, at) => ({ cells: row.map(storable), level: levels[at] ?? 0 }))
    .filter(({ cells }) => cells.some(Boolean))
  const filled = leveled.map(({ cells }) => cells)
  const widest = filled.reduce((most, row) => Math.max(most, row.length), 0)
  if (widest > COLUMNS_MAX) throw new ParseFailure('too_large')
  const headerAt = headerRowAt(filled, widest)
  const { names: header, bodyAt } = readHeader(filled, headerAt)
  const all = leveled.slice(bodyAt)
  const { body, groups } = withoutSums(all.filter(({ cells }, at) => !isTotal(cells, at === all.length - 1, widest)))
  if (headerAt < 0 || body.length === 0) throw new ParseFailure('empty')
  if (body.length < all.length) warnings.push({ kind: 'totals_left_out', count: all.length - body.length })
  const ragged = raggedRows(header, body)
  if (format === 'csv' && ragged.length > 0) {
    warnings.push({ kind: 'ragged_rows', count: ragged.length, rows: ragged.slice(0, NAMED_ROWS) })
  }
  const kept = body.slice(0, Math.min(TABLE_ROWS_MAX, rowsWithin(limits.characters, body)))
  if (kept.length === 0) throw new ParseFailure('too_large')
  if (kept.length < body.length) warnings.push({ kind: 'rows_left_out', kept: kept.length })
  const isGrouped = groups.some(Boolean) && widest < COLUMNS_MAX
  const names = isGrouped ? [...padded(header, widest), groupColumn(header)] : header
  const cells = isGrouped ? kept.map((row, at) => [...padded(row, widest), groups[at] ?? '']) : kept
  return { ...typeColumns(columnNames(names, isGrouped ? widest + 1 : widest), cells, choices), warnings }
}

/** Rows without those that add up others which can be folded up beside them, and in which group each is. */
function withoutSums(rows: { cells: string[]; level: number }[]): { body: string[][]; groups: string[] } {
  const { summaries, groups } = outlineOf(
    rows.map(({ cells }) => cells),
    rows.map(({ level }) => level),
  )
  const isTaken = (_: unknown, at: number) => !summaries.has(at)
  return { body: rows.filter(isTaken).map(({ cells }) => cells), groups: groups.filter(isTaken) }
}

function padded(row: string[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => row[column] ?? '')
}

/** The name of the column that says in which group a row is. */
function groupColumn(header: string[]): string {
  return header.some((name) => /\p{Script=Cyrillic}/u.test(name)) ? 'Группа' : 'Group'
}

async function readContent(bytes: Uint8Array, format: TableFormat, limits: ParseLimits): Promise<Content> {
  const content = contentOf(bytes)
  if (content === 'encrypted-office') throw new ParseFailure('password_protected')
  if (format === 'csv') {
    if (content !== 'text') throw new ParseFailure('type_mismatch')
    const { text, encoding, isGuess } = decode(bytes)
    const sheets = [{ name: null, rows: readCsv(text), levels: [] }]
    return { sheets, warnings: isGuess ? [{ kind: 'encoding_guessed', encoding }] : [] }
  }
  const isHtml = format === 'xls' && content === 'text' && /<(table|html)/i.test(decode(bytes, true).text)
  if (content !== (format === 'xlsx' ? 'zip' : 'ole') && !isHtml) throw new ParseFailure('type_mismatch')
  const { readSheets, readXlsx } = await import('./workbook.ts') // much code, which a CSV file need not wait for
  const sheets =
    format === 'xlsx' ? await readXlsx(bytes, limits.zip) : readSheets(isHtml ? decode(bytes, true).text : bytes)
  return { sheets: sheets.slice(0, TABLE_SHEETS_MAX).map(named), warnings: [] }
}

/** By a name that can be stored and named again. */
function named({ name, ...sheet }: WorkbookSheet, at: number): WorkbookSheet {
  return { name: storable(name).slice(0, SHEET_NAME_MAX).toWellFormed() || `${at + 1}`, ...sheet }
}

/** A row that adds up others says so where a name would stand, and leaves cells empty unless it is the last. */
function isTotal(row: string[], isLast: boolean, columns: number): boolean {
  const filled = row.filter(Boolean)
  const isShort = columns > 2 && filled.length < columns
  return (isShort || isLast) && filled.length >= 2 && TOTAL.test(filled[0] ?? '')
}

/** Names that tell the columns apart, also where the file has none. */
function columnNames(header: string[], width: number): string[] {
  const known = new Set<string>()
  return Array.from({ length: width }, (_, column) => {
    const base =
      (header[column] ?? '').replace(/\s+/g, ' ').slice(0, COLUMN_NAME_MAX).toWellFormed() || `Column ${column + 1}`
    let name = base
    for (let copy = 2; known.has(name.toLowerCase()); copy++) name = `${base} (${copy})`
    known.add(name.toLowerCase())
    return name
  })
}

/** How many of the rows have no more characters together. */
function rowsWithin(characters: number, rows: string[][]): number {
  let sum = 0
  const end = rows.findIndex((row) => {
    sum += row.reduce((inRow, cell) => inRow + cell.length, 0)
    return sum > characters
  })
  return end < 0 ? rows.length : end
}

/** Numbers of the rows that have more cells than the header. */
function raggedRows(header: string[], body: string[][]): number[] {
  return body.flatMap((row, index) => (row.length > header.length ? [index + 1] : []))
}

/** No NUL and no halves of characters. */
function storable(cell: string): string {
  return cell.replaceAll('\0', '').toWellFormed().trim()
}
