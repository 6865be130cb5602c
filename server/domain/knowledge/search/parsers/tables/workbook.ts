// Excel files, old and new, and HTML that claims to be one → the non-empty sheets, cells as text.
import { type CellObject, utils, type WorkSheet } from '@e965/xlsx'
import type { ParseLimits } from '../limits.ts'
import { behindLink } from '../link-targets.ts'
import { ParseFailure } from '../parse-failure.ts'
import { cellsOf, linkOf, type MarkedWorkbook, openXls, openXlsx, struckTextOf } from '../workbooks/marked-workbook.ts'
import { withoutStruck } from '../workbooks/struck-text.ts'
import type { SheetMarks } from '../workbooks/workbook-marks.ts'
import { openZip } from '../zip.ts'
import { readQuantity } from './quantities.ts'

/** As many as spreadsheet programs keep of a number. */
const SIGNIFICANT_DIGITS = 15
/** What lies before it is a time of day without a day. */
const FIRST_DAY = Date.UTC(1900, 0, 1)
/** A format of hours, minutes or seconds that are not cut at a day, an hour or a minute. */
const DURATION = /\[[hms]+\]/i

/**
 * `levels`: outline level of each row. `natives`: cells that hold numbers, not texts of them; `repeats`: cells covered by a merged cell
 * above; `struck`: cells with struck-through text, which is removed; all as `row:column` from 0. Hidden rows and columns are read too.
 */
export type WorkbookSheet = {
  name: string
  isHidden: boolean
  rows: string[][]
  levels: number[]
  natives: Set<string>
  repeats: Set<string>
  struck: Set<string>
  hiddenRows: Set<number>
  hiddenColumns: Set<number>
}

/**
 * Sheets of an XLSX file, as `readXlsSheets` gives them.
 *
 * @throws ParseFailure damaged, type_mismatch when the container holds no workbook, too_large beyond the unpack budget
 */
export async function readXlsxSheets(bytes: Uint8Array, limits: ParseLimits['zip']): Promise<WorkbookSheet[]> {
  const zip = await openZip(bytes, limits)
  if (!(await zip.read('xl/workbook.xml'))) {
    throw new ParseFailure((await zip.read('[Content_Types].xml')) ? 'type_mismatch' : 'damaged')
  }
  return sheetsOf(await openXlsx(bytes, zip))
}

/**
 * Sheets of an old Excel file, or of markup that claims to be one, in the order of the file; empty sheets are left out, and so are empty
 * cells at the end of a row: programs include columns that were only visited.
 *
 * @throws ParseFailure password_protected, damaged
 */
export function readXlsSheets(bytes: Uint8Array): WorkbookSheet[] {
  return sheetsOf(openXls(bytes))
}

function sheetsOf({ book, marks }: MarkedWorkbook): WorkbookSheet[] {
  return book.SheetNames.flatMap((name) => {
    const sheet = book.Sheets[name]
    if (!sheet) return []
    const own = marks.get(name)
    const natives = nativesOf(sheet)
    const struck = takeStruck(sheet, own)
    writeTargets(sheet)
    const { rows, repeats } = readRows(sheet)
    if (!rows.some((row) => row.some(Boolean))) return []
    const isHidden = own?.isHidden ?? false
    return [{ name, isHidden, rows, natives, repeats, struck, ...looksOf(sheet, own, rows.length) }]
  })
}

function looksOf(
  sheet: WorkSheet,
  marks: SheetMarks | undefined,
  rows: number,
): Pick<WorkbookSheet, 'levels' | 'hiddenRows' | 'hiddenColumns'> {
  const first = utils.decode_range(sheet['!ref'] ?? 'A1').s
  const from = (start: number, of: Iterable<number> = []) => new Set([...of].map((at) => at - start))
  return {
    levels: Array.from({ length: rows }, (_, at) => marks?.levels.get(first.r + at) ?? 0),
    hiddenRows: from(first.r, marks?.hiddenRows),
    hiddenColumns: from(first.c, marks?.hiddenColumns),
  }
}

/** Removes struck-through text from the cells: an old price is not the price. @returns the cells that had such text */
function takeStruck(sheet: WorkSheet, marks: SheetMarks | undefined): Set<string> {
  const { s: first } = utils.decode_range(sheet['!ref'] ?? 'A1')
  const struck = new Set<string>()
  for (const [r, cells] of cellsOf(sheet).entries()) {
    cells?.forEach((cell, c) => {
      if (!cell || cell.t === 'z') return
      const name = utils.encode_cell({ r, c })
      const isWhole = marks?.struckCells.has(name)
      const marked = isWhole ? '' : struckTextOf(cell, name, marks)
      if (marked === null) return
      struck.add(`${r - first.r}:${c - first.c}`)
      cell.t = 's'
      cell.v = withoutStruck(marked)
    })
  }
  return struck
}

/**
 * Targets of links behind the texts of a column whose texts say nothing by themselves: in each row «скачать», and another file behind it. A
 * name that is a link stays the name by which its row is found.
 */
function writeTargets(sheet: WorkSheet): void {
  const columns = new Map<number, { cell: CellObject; behind: string }[]>()
  for (const row of cellsOf(sheet)) {
    row?.forEach((cell, column) => {
      const behind = cell?.t === 's' ? behindLink(String(cell.v ?? ''), linkOf(cell)) : ''
      if (behind === '') return
      const links = columns.get(column) ?? []
      if (links.push({ cell, behind }) === 1) columns.set(column, links)
    })
  }
  for (const links of columns.values()) {
    const texts = new Set(links.map(({ cell }) => cell.v))
    if (texts.size * 2 > links.length) continue
    for (const { cell, behind } of links) cell.v = `${cell.v}${behind}`
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

/** Cells as texts, from the first row and column that hold something. */
export function readRows(sheet: WorkSheet): Pick<WorkbookSheet, 'rows' | 'repeats'> {
  for (const row of cellsOf(sheet)) {
    row?.forEach(writeDuration)
    row?.forEach(writeNumber)
    row?.forEach(withoutFormat)
  }
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

/** A time that may be longer than a day, `[h]:mm`, is the text that the sheet shows: read as an instant it would be a day of 1900. */
function writeDuration(cell: CellObject): void {
  if ((cell.t !== 'd' && cell.t !== 'n') || !DURATION.test(String(cell.z ?? '')) || !cell.w) return
  cell.v = cell.w
  cell.t = 's'
}

/** A text is shown as it is, whatever the format of its cell: the library makes an empty day of a text in the format of one. */
function withoutFormat(cell: CellObject): void {
  if (cell.t === 's') delete cell.z
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
  const end = row.findLastIndex((cell) => cell !== '') + 1
  return end === row.length ? row : row.slice(0, end)
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
