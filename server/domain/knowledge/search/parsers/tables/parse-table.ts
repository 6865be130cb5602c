// One spreadsheet → typed columns and rows, in the calling process: the guarded child, see table-file.ts.
import { CSV_DELIMITERS, type CsvDelimiter, delimitersOf, readCsv } from '#shared/csv.ts'
import type { TableFormat, TableReading, TableWarning } from '#shared/knowledge/tables.ts'
import { TABLE_ROWS_MAX, TABLE_SHEETS_MAX } from '#shared/limits.ts'
import { decode } from '../encoding/encoding.ts'
import type { ParseLimits } from '../limits.ts'
import { ParseFailure } from '../parse-failure.ts'
import { contentOf } from '../sniff.ts'
import { type Body, type Item, readBody } from './body-rows.ts'
import { type CellMarks, type ChosenTypes, markAt, type TypedTable, typeColumns } from './column-types.ts'
import { fillDown } from './fill-down.ts'
import { type Grid, gridOf, type LeftOut, type Sheet } from './grid.ts'
import { outlineOf } from './outline.ts'
import { isValue } from './row-kinds.ts'
import { type Region, regionsOf } from './table-regions.ts'
import type { WorkbookSheet } from './workbook.ts'

/** `sheet`: which table of the file was read, null where it holds but one. */
export type ParsedTable = TypedTable & {
  warnings: TableWarning[]
  sheet: string | null
  /** Names of all tables in the file, which are its sheets where each holds one. Empty for a file without sheets that holds one. */
  sheets: string[]
  /** Other tables in the same sheet. */
  siblings: string[]
  /** The first rows of its sheet as written: a person uses them to mark where the table begins. */
  firstRows: string[][]
}
/** `sheet`: the name of one of the tables in the file; null: the first of which a table can be made. */
export type ParseWishes = { sheet?: string | null; reading?: TableReading; choices?: ChosenTypes }

type Content = { sheets: Sheet[]; warnings: TableWarning[] }
/** A table of a sheet before its cells are read; `name` null: the only one of a file without sheets. */
type Candidate = { name: string | null; sheet: Sheet; region: Region; hidden: LeftOut }

const COLUMNS_MAX = 100
const COLUMN_NAME_MAX = 100
/** Programs allow 31. */
const SHEET_NAME_MAX = 100
/** Rows that a warning names. */
const NAMED_ROWS = 10
/** Of the beginning of a sheet. */
const FIRST_ROWS = 20
const FIRST_COLUMNS = 12
const FIRST_CELL_MAX = 40
/** Rows in the preview of a delimiter. */
const DIVIDED_ROWS = 4
/** Share of rows with more cells than the header from which the header itself is in doubt. */
const MANY_RAGGED = 0.2
/** Where a word may be divided, which way it is written: joiners of emoji are not among them. */
const UNSEEN = /[\0\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** Rows that may be of a header. */
const HEADER_LINES = 3

/** @throws ParseFailure with the reason when the file cannot be used */
export async function parseTable(
  bytes: Uint8Array,
  format: TableFormat,
  limits: ParseLimits,
  { sheet: wanted = null, reading = {}, choices = [] }: ParseWishes = {},
): Promise<ParsedTable> {
  const { sheets, warnings } = await readContent(bytes, format, limits, { reading, wanted })
  const candidates = candidatesOf(sheets, wanted, reading)
  const chosen = wanted === null ? candidates : candidates.filter(({ name }) => name === wanted)
  const failures: ParseFailure[] = []
  for (const candidate of chosen) {
    try {
      const table = tableOf(candidate, limits, choices, reading)
      return { ...table, warnings: [...warnings, ...table.warnings], ...namesOf(candidate, candidates, sheets) }
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error
      failures.push(error)
    }
  }
  throw failures[0] ?? new ParseFailure('empty')
}

/** The tables of all sheets. A range chosen by a person replaces its sheet. */
function candidatesOf(sheets: Sheet[], wanted: string | null, reading: TableReading): Candidate[] {
  return sheets.flatMap((sheet): Candidate[] => {
    const all = regionsIn(sheet, {})
    const names = namesIn(sheet, all.regions)
    const isMeant = wanted === null || names.includes(wanted)
    const isChosen = isMeant && Object.keys(reading).some((key) => key !== 'delimiter')
    if (!isChosen)
      return all.regions.map((region, at) => ({ name: names[at] ?? null, sheet, region, hidden: all.hidden }))
    const read = regionsIn(sheet, reading)
    const at = Math.max(0, names.indexOf(wanted))
    const region = read.regions[reading.headerRow === undefined ? at : 0]
    if (!region) return []
    return names.length < 2
      ? [{ name: names[0] ?? sheet.name, sheet, region, hidden: read.hidden }]
      : names.flatMap((name, index) => {
          const own = index === at ? region : all.regions[index]
          return own ? [{ name, sheet, region: own, hidden: read.hidden }] : []
        })
  })
}

function regionsIn(sheet: Sheet, reading: TableReading) {
  const { grid, hidden } = gridOf(sheet, reading)
  const found = regionsOf(grid, reading)
  const withItems = found.filter((region) => readBody(region, reading.loneRows).items.length > 0)
  return {
    regions: withItems.length > 0 ? withItems : found.length > 0 ? found.slice(0, 1) : [emptyRegion(grid)],
    hidden,
  }
}

/** Of a sheet without a table: it keeps its place among the others. */
function emptyRegion({ columns }: Grid): Region {
  return {
    title: null,
    header: { from: 0, bodyAt: 0, names: [], numberings: 0, isSure: false },
    columns,
    above: [],
    body: [],
  }
}

/** Names of the tables of a sheet: that of the sheet, followed by their titles or numbers where there are several. */
function namesIn({ name }: Sheet, regions: Region[]): (string | null)[] {
  if (regions.length < 2) return [name]
  const known = new Set<string>()
  return regions.map(({ title }, at) => {
    const own = title && !known.has(title) ? title : String(at + 1)
    known.add(own)
    const full = name === null ? own : at === 0 ? name : `${name} · ${own}`
    return storable(full).slice(0, SHEET_NAME_MAX).toWellFormed()
  })
}

function namesOf(
  read: Candidate,
  all: Candidate[],
  sheets: Sheet[],
): Pick<ParsedTable, 'sheet' | 'sheets' | 'siblings' | 'firstRows'> {
  const names = [...new Set(all.flatMap(({ name }) => name ?? []))]
  const siblings = all
    .filter(({ sheet, name }) => sheet === read.sheet && name !== read.name)
    .flatMap(({ name }) => name ?? [])
  const isSingle = sheets.length === 1 && sheets[0]?.name === null && names.length < 2
  const { rows } = read.sheet
  const firstRows = rows
    .slice(0, FIRST_ROWS)
    .map((row) => row.slice(0, FIRST_COLUMNS).map((cell) => cell.slice(0, FIRST_CELL_MAX).toWellFormed()))
  return { sheet: isSingle ? null : read.name, sheets: isSingle ? [] : names, siblings, firstRows }
}

function tableOf(
  { sheet, region, hidden }: Candidate,
  limits: ParseLimits,
  choices: ChosenTypes,
  reading: TableReading,
): TypedTable & { warnings: TableWarning[] } {
  const { header } = region
  const body = readBody(region, reading.loneRows)
  const width = Math.max(header.names.length, ...body.items.map(({ cells }) => widthOf(cells)))
  const used = Math.max(widthOf(header.names), ...body.items.map(({ cells }) => widthOf(cells)))
  if (Math.min(width, used) > COLUMNS_MAX) throw new ParseFailure('too_large')
  if (body.items.length === 0) throw new ParseFailure('empty')
  const { items, groups, sums } = withoutSums(body.items)
  const kept = items.slice(0, Math.min(TABLE_ROWS_MAX, rowsWithin(limits.characters, items)))
  if (kept.length === 0) throw new ParseFailure('too_large')
  const names = columnNames(header.names, used)
  const filled = fillDown(names, kept, isValue)
  const ragged = sheet.name === null && header.bodyAt > header.from ? raggedRows(region, kept, sheet) : []
  const table = withColumns(names, filled.rows, { kept, groups, sections: body.sections })
  const typed = typeColumns(table.names, table.rows, choices, marksOf(kept, region, sheet))
  shiftOut(typed, ragged)
  const isUnsure = !header.isSure || ragged.length > MANY_RAGGED * kept.length
  const warnings: TableWarning[] = [
    ...leftOut(hidden),
    ...withTotals(body.warnings, sums),
    ...sectionWarnings(body.sections, table.sectionName),
    ...filled.warnings,
    ...(ragged.length > 0
      ? [{ kind: 'ragged_rows' as const, count: ragged.length, rows: ragged.slice(0, NAMED_ROWS) }]
      : []),
    ...(isUnsure && reading.headerRow === undefined ? [{ kind: 'header_unsure' as const }] : []),
    ...(kept.length < items.length ? [{ kind: 'rows_left_out' as const, kept: kept.length }] : []),
  ]
  return { ...typed, warnings }
}

function leftOut({ rows, columns, struck }: LeftOut): TableWarning[] {
  return [
    ...(rows + columns > 0 ? [{ kind: 'hidden_left_out' as const, rows, columns }] : []),
    ...(struck > 0 ? [{ kind: 'struck_left_out' as const, count: struck }] : []),
  ]
}

function withTotals(warnings: TableWarning[], sums: number): TableWarning[] {
  if (sums === 0) return warnings
  const known = warnings.find((warning) => warning.kind === 'totals_left_out')
  const others = warnings.filter((warning) => warning !== known)
  return [{ kind: 'totals_left_out', count: sums + (known?.count ?? 0) }, ...others]
}

function sectionWarnings(sections: string[] | null, column: string | null): TableWarning[] {
  if (!sections || column === null) return []
  return [{ kind: 'sections', count: sections.length, column, names: sections.slice(0, NAMED_ROWS) }]
}

/** Rows without the collapsible summary rows next to their details, and the group of each row. */
function withoutSums(rows: Body['items']): { items: Item[]; groups: string[]; sums: number } {
  const { summaries, groups } = outlineOf(
    rows.map(({ cells }) => cells),
    rows.map(({ level }) => level),
  )
  const isTaken = (_: unknown, at: number) => !summaries.has(at)
  return { items: rows.filter(isTaken), groups: groups.filter(isTaken), sums: summaries.size }
}

/** Behind the columns of the file those that say in which section, and in which group that can be folded up, a row is. */
function withColumns(
  names: string[],
  rows: string[][],
  { kept, groups, sections }: { kept: Item[]; groups: string[]; sections: string[] | null },
): { names: string[]; rows: string[][]; sectionName: string | null } {
  const isCyrillic = names.some((name) => /\p{Script=Cyrillic}/u.test(name))
  const added: { name: string; values: string[] }[] = []
  if (groups.some(Boolean)) added.push({ name: isCyrillic ? 'Группа' : 'Group', values: groups })
  if (sections) added.push({ name: isCyrillic ? 'Раздел' : 'Section', values: kept.map(({ section }) => section) })
  const taken = added.slice(0, COLUMNS_MAX - names.length)
  const all = columnNames([...names, ...taken.map(({ name }) => name)], names.length + taken.length)
  const isSection = sections !== null && taken.length === added.length
  return {
    names: all,
    rows: rows.map((row, at) => [...padded(row, names.length), ...taken.map(({ values }) => values[at] ?? '')]),
    sectionName: isSection ? (all.at(-1) ?? null) : null,
  }
}

function marksOf(items: Item[], { columns }: Region, { natives, repeats }: Sheet): CellMarks {
  const marks = { natives: new Set<string>(), repeats: new Set<string>() }
  if (natives.size + repeats.size === 0) return marks
  for (const [row, { at, cells }] of items.entries()) {
    for (const column of cells.keys()) {
      const key = markAt(at, columns[column] ?? -1)
      if (natives.has(key)) marks.natives.add(markAt(row, column))
      if (repeats.has(key)) marks.repeats.add(markAt(row, column))
    }
  }
  return marks
}

/** In a row with more cells than the header, numbers may be in another column than their own: nothing is computed from them. */
function shiftOut({ columns, rows }: TypedTable, ragged: number[]): void {
  for (const number of ragged) {
    const row = rows[number - 1]
    if (!row) continue
    for (const [at, column] of columns.entries()) {
      if (column.type === 'text' || row.typed[at] === null) continue
      row.typed[at] = null
      column.unfit += 1
      if ((column.misfits?.length ?? 0) < 2) column.misfits?.push({ row: number, cell: row.cells[at] ?? '' })
    }
  }
}

function padded(row: string[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => row[column] ?? '')
}

function widthOf(cells: string[]): number {
  return cells.findLastIndex(Boolean) + 1
}

async function readContent(
  bytes: Uint8Array,
  format: TableFormat,
  limits: ParseLimits,
  { reading, wanted }: { reading: TableReading; wanted: string | null },
): Promise<Content> {
  const content = contentOf(bytes)
  if (content === 'encrypted-office') throw new ParseFailure('password_protected')
  if (format === 'csv') {
    if (content !== 'text') throw new ParseFailure('type_mismatch')
    return readText(bytes, reading)
  }
  const isHtml = format === 'xls' && content === 'text' && /<(table|html)/i.test(decode(bytes, true).text)
  if (content !== (format === 'xlsx' ? 'zip' : 'ole') && !isHtml) throw new ParseFailure('type_mismatch')
  const { readXlsSheets, readXlsxSheets } = await import('./workbook.ts') // much code, which a CSV file need not wait for
  const all = (format === 'xlsx' ? await readXlsxSheets(bytes, limits.zip) : readXlsSheets(bytes)).map(named)
  const shown = all.filter(({ isHidden, name }) => !isHidden || name === wanted)
  const hidden = all.length - shown.length
  return {
    sheets: shown.slice(0, TABLE_SHEETS_MAX),
    warnings: hidden > 0 ? [{ kind: 'hidden_sheets_left_out', count: hidden }] : [],
  }
}

function readText(bytes: Uint8Array, reading: TableReading): Content {
  const { text, encoding, isGuess } = decode(bytes)
  const { best, rivals } = delimitersOf(text)
  const delimiter = reading.delimiter ?? best
  const records = readCsv(text, delimiter).map((row) => row.map(storable))
  const rows = delimiter === '|' ? withoutFrame(records) : records
  const none: ReadonlySet<never> = new Set()
  const marks = { natives: none, repeats: none, struck: none, hiddenRows: none, hiddenColumns: none }
  const sheet = { name: null, rows, levels: [], ...marks }
  const isUnsure = reading.delimiter === undefined && rivals.length > 0
  return {
    sheets: [sheet],
    warnings: [
      ...(isGuess ? [{ kind: 'encoding_guessed' as const, encoding }] : []),
      ...(isUnsure ? [dividedBy(text, best, rivals)] : []),
    ],
  }
}

/** A table of Markdown: no cells outside of the bars at the ends of its rows, and no row of dashes below its header. */
function withoutFrame(rows: string[][]): string[][] {
  const shown = rows.filter(
    (row) => !row.some(Boolean) || !row.every((cell) => cell === '' || /^:?-{2,}:?$/.test(cell)),
  )
  const filled = shown.filter((row) => row.some(Boolean))
  const isFramed = filled.every((row) => row.length > 2 && row[0] === '' && row.at(-1) === '')
  return isFramed ? shown.map((row) => row.slice(1, -1)) : shown
}

function dividedBy(text: string, chosen: CsvDelimiter, rivals: CsvDelimiter[]): TableWarning {
  const all = CSV_DELIMITERS.filter((delimiter) => delimiter === chosen || rivals.includes(delimiter))
  const readings = all.map((delimiter) => ({
    delimiter,
    rows: readCsv(text, delimiter)
      .filter((row) => row.some(Boolean))
      .slice(0, DIVIDED_ROWS)
      .map((row) => row.slice(0, FIRST_COLUMNS).map((cell) => storable(cell).slice(0, FIRST_CELL_MAX).toWellFormed())),
  }))
  return { kind: 'delimiter_unsure', chosen, readings }
}

/** By a name that can be stored and named again. */
function named({ name, rows, ...sheet }: WorkbookSheet, at: number): Sheet & { isHidden: boolean } {
  return {
    ...sheet,
    name: storable(name).slice(0, SHEET_NAME_MAX).toWellFormed() || `${at + 1}`,
    rows: rows.map((row) => row.map(storable)),
  }
}

/** Unique names for the columns, also where the file has none. */
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
function rowsWithin(characters: number, rows: Item[]): number {
  let sum = 0
  const end = rows.findIndex(({ cells }) => {
    sum += cells.reduce((inRow, cell) => inRow + cell.length, 0)
    return sum > characters
  })
  return end < 0 ? rows.length : end
}

/** Numbers of the rows that have more cells than the header. */
function raggedRows({ above, header, columns }: Region, items: Item[], { rows }: Sheet): number[] {
  const end = (columns.at(-1) ?? 0) + 1
  const from = above.length === 0 ? header.from : (above.at(-1)?.at ?? 0) + 1
  const lines = rows.slice(from, items[0]?.at).map((row) => Math.min(row.length, end))
  const width = Math.max(widthOf(header.names), ...lines.slice(0, HEADER_LINES))
  return items.flatMap(({ cells }, index) => (widthOf(cells) > width ? [index + 1] : []))
}

/** No NUL, no halves of characters, and none that shows nothing: copied from a page, they stand amid numbers. */
function storable(cell: string): string {
  return cell.replace(UNSEEN, '').toWellFormed().trim()
}
