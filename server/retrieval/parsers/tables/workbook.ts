// Excel files, old and new, and HTML that calls itself one → the sheets that hold something, cells as text.
import { type CellObject, read, set_cptable, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import * as codepages from '@e965/xlsx/dist/cpexcel.full.mjs'
import type { ParseLimits } from '../limits.ts'
import { ParseFailure } from '../parse-failure.ts'
import { openZip, type Zip } from '../zip.ts'
import { readQuantity } from './quantities.ts'

/** As many as spreadsheet programs keep of a number. */
const SIGNIFICANT_DIGITS = 15
/** What lies before it is a time of day without a day. */
const FIRST_DAY = Date.UTC(1900, 0, 1)

/**
 * `levels`: how deep each row lies among those that can be folded up. `natives`: cells that hold numbers, not texts of them; `repeats`:
 * those that say what a merged cell above them says; both as `row:column` from 0. Rows and columns that are hidden are read all the same.
 */
export type WorkbookSheet = {
  name: string
  rows: string[][]
  levels: number[]
  natives: Set<string>
  repeats: Set<string>
  hiddenRows: Set<number>
  hiddenColumns: Set<number>
}

/**
 * Sheets of an XLSX file, as `readSheets` gives them.
 *
 * @throws ParseFailure damaged, type_mismatch when the container holds no workbook, too_large beyond the unpack budget
 */
export async function readXlsx(bytes: Uint8Array, limits: ParseLimits['zip']): Promise<WorkbookSheet[]> {
  const zip = await openZip(bytes, limits)
  if (!(await zip.read('xl/workbook.xml'))) {
    throw new ParseFailure((await zip.read('[Content_Types].xml')) ? 'type_mismatch' : 'damaged')
  }
  return readSheets(bytes, await hasRowLooks(zip))
}

/** Whether rows or columns of a sheet can be folded up, or are hidden. */
async function hasRowLooks(zip: Zip): Promise<boolean> {
  for (const name of zip.names.filter((each) => each.startsWith('xl/worksheets/'))) {
    const text = await zip.read(name)
    if (text?.includes('outlineLevel="') || text?.includes('hidden="')) return true
  }
  return false
}

/**
 * Sheets in the order of the file; what holds nothing is left out, and so are empty cells at the end of a row: programs count columns
 * in that somebody has only looked at.
 *
 * @param content bytes of an old Excel file, or the decoded text of an HTML file
 * @param hasLooks levels and hidden rows are read of an XLSX file too: that keeps all cells which merely have a look
 * @throws ParseFailure password_protected, damaged
 */
export function readSheets(content: Uint8Array | string, hasLooks = false): WorkbookSheet[] {
  const book = openBook(content, hasLooks)
  return book.SheetNames.flatMap((name) => {
    const sheet = book.Sheets[name]
    if (!sheet) return []
    const natives = nativesOf(sheet)
    const { rows, repeats } = readRows(sheet)
    if (!rows.some((row) => row.some(Boolean))) return []
    return [{ name, rows, natives, repeats, ...looksOf(sheet, rows.length) }]
  })
}

function looksOf(sheet: WorkSheet, rows: number): Pick<WorkbookSheet, 'levels' | 'hiddenRows' | 'hiddenColumns'> {
  const first = utils.decode_range(sheet['!ref'] ?? 'A1').s
  const of = Array.from({ length: rows }, (_, at) => sheet['!rows']?.[first.r + at])
  const columns = (sheet['!cols'] ?? []).slice(first.c)
  return {
    levels: of.map((row) => row?.level ?? 0),
    hiddenRows: new Set(of.flatMap((row, at) => (row?.hidden ? [at] : []))),
    hiddenColumns: new Set([...columns].flatMap((column, at) => (column?.hidden ? [at] : []))),
  }
}

function nativesOf(sheet: WorkSheet): Set<string> {
  const { s: first } = utils.decode_range(sheet['!ref'] ?? 'A1')
  const natives = new Set<string>()
  for (const [row, cells] of cellsOf(sheet).entries()) {
    cells?.forEach((cell, column) => {
      if (cell?.t === 'n') natives.add(`${row - first.r}:${column - first.c}`)
    })
  }
  return natives
}

/** Cells as they are stored. @throws ParseFailure password_protected, damaged */
export function openBook(content: Uint8Array | string, cellStyles: boolean): WorkBook {
  set_cptable(codepages)
  const options = { cellDates: true, cellNF: true, UTC: true, dense: true, cellStyles } as const
  try {
    return typeof content === 'string'
      ? read(content, { ...options, type: 'string', raw: true }) // as it is written: 12,50 would become 1250, 007 a number
      : read(content, { ...options, type: 'array' })
  } catch (error) {
    const isLocked = error instanceof Error && /password-protected/i.test(error.message)
    throw new ParseFailure(isLocked ? 'password_protected' : 'damaged', { cause: error })
  }
}

/** Cells as texts, from the first row and column that hold something. */
export function readRows(sheet: WorkSheet): Pick<WorkbookSheet, 'rows' | 'repeats'> {
  for (const row of cellsOf(sheet)) row?.forEach(writeNumber)
  const rows = utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: true, defval: null, blankrows: true, UTC: true })
  const texts = rows.map((row) => row.map(cellText))
  const repeats = fillMerged(sheet, texts)
  return { rows: texts.map(withoutEmptyEnd), repeats }
}

/**
 * A cell that is merged downwards says the same of every row it spans. A title, which is as wide as a sheet, says it once.
 *
 * @returns the cells that were filled in, as `row:column`
 */
function fillMerged(sheet: WorkSheet, rows: string[][]): Set<string> {
  const repeats = new Set<string>()
  const { s: first, e: last } = utils.decode_range(sheet['!ref'] ?? 'A1')
  for (const { s: from, e: to } of sheet['!merges'] ?? []) {
    if (from.r === to.r || (to.c - from.c) * 2 >= last.c - first.c) continue
    const text = rows[from.r - first.r]?.[from.c - first.c]
    if (!text) continue
    for (let at = from.r - first.r + 1; at <= to.r - first.r; at++) {
      const row = rows[at]
      if (!row?.some(Boolean) || row[from.c - first.c]) continue
      row[from.c - first.c] = text
      repeats.add(`${at}:${from.c - first.c}`)
    }
  }
  return repeats
}

/** Rows of cells, with gaps. */
function cellsOf(sheet: WorkSheet): (CellObject[] | undefined)[] {
  return (sheet as { '!data'?: (CellObject[] | undefined)[] })['!data'] ?? []
}

/** Makes a text of a number: as the sheet shows it, but in a spelling that any column can be read in. */
function writeNumber(cell: CellObject): void {
  if (cell.t !== 'n' || typeof cell.v !== 'number') return
  const { v: value, w: shown = '' } = cell
  const format = String(cell.z ?? '')
  if (/^0\d+$/.test(shown))
    cell.v = shown // a code, such as 00007
  else
    cell.v = shown.endsWith('%') ? `${rounded(value * 100, format)}%` : `${rounded(value, format)}${unitShown(shown)}`
  cell.t = 's'
}

/** What a sheet shows with a number: a currency or a unit of its format. */
function unitShown(shown: string): string {
  const unit = readQuantity(shown)?.unit
  return unit && !unit.includes('%') ? ` ${unit}` : ''
}

/** No digits that its program does not keep: 149.4, not 149.39999999999998; and of a price none that the sheet does not show. */
function rounded(value: number, format: string): string {
  const kept = Number(value.toPrecision(SIGNIFICANT_DIGITS))
  const decimals = /0\.(0{2,})(?![0#?E])/i.exec(format)?.[1]?.length
  return String(decimals === undefined ? kept : Number(kept.toFixed(decimals)))
}

function withoutEmptyEnd(row: string[]): string[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1)
}

/** As a person would write it, in a spelling that means the same in every language. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!(value instanceof Date)) return String(value)
  if (!Number.isFinite(value.getTime())) return ''
  if (value.getTime() < FIRST_DAY) return value.toISOString().slice(11, 16)
  const toMinute = new Date(Math.round(value.getTime() / 60_000) * 60_000).toISOString()
  return toMinute.endsWith('T00:00:00.000Z') ? toMinute.slice(0, 10) : toMinute.slice(0, 16).replace('T', ' ')
}
