// Which rows of a sheet name the columns, and what they call them. A header may have up to three lines.
import type { GridRow } from './grid.ts'
import {
  areUnits,
  filledIn,
  isContact,
  isPlainNumber,
  isValue,
  isYear,
  mayBeHeader,
  numbersColumns,
  wordShare,
} from './row-kinds.ts'

/** `from`: the first line; `bodyAt`: the first row below; `numberings`: rows between them that number the columns. `isSure`: something tells that these are names and no item. */
export type Header = { from: number; bodyAt: number; names: string[]; numberings: number; isSure: boolean }

/** Lines of a header at most. */
export const LINES_MAX = 3
/** Rows below a header that show what its columns hold. */
const ROWS_BELOW = 6
/** Rows among which a header that is called like one is looked for, whatever stands above it. */
const ROWS_ABOVE = 30

/** The header of the first table in these rows; undefined where no row holds enough. `bodyAt` equals `from` where the table has none. */
export function findHeader(rows: GridRow[]): Header | undefined {
  const least = leastFilled(rows)
  const wide = [...rows.keys()].filter((at) => filledIn(rows[at]?.cells ?? []) >= least)
  const possible = wide.filter((at) => mayBeHeader(rows[at]?.cells ?? []))
  const called = possible.find((at) => at < ROWS_ABOVE && wordShare(rows[at]?.cells ?? []) >= 0.5)
  const first = wide.find((at) => !(rows[at]?.cells ?? []).some(isContact)) ?? wide[0]
  if (first === undefined) return undefined
  const at = called ?? (possible.includes(first) && !mayBeItem(rows[first]?.cells ?? []) ? first : undefined)
  if (at === undefined) return headless(rows, first)
  const isSure = called !== undefined || contrastBelow(rows, at)
  return readLines(rows, at, { isSure })
}

/** The header that begins at a row which a person has named. */
export function headerAt(rows: GridRow[], at: number, lines?: number): Header {
  return readLines(rows, at, { isSure: true, ...(lines !== undefined && { lines }) })
}

/** A name and one number that could be a year: `Стрижка;2000` is rather an item than a header. */
function mayBeItem(cells: string[]): boolean {
  const [, ...others] = cells.filter(Boolean)
  return others.length === 1 && others.every((cell) => isPlainYear(cell))
}

function isPlainYear(cell: string): boolean {
  return isYear(cell) && /^\d+$/.test(cell)
}

/** Years name columns, other numbers are those of an item: then the table has no header. */
function headless(rows: GridRow[], at: number): Header {
  const cells = rows[at]?.cells ?? []
  const areYears = cells.slice(1).filter(Boolean).every(isYear) && !isValue(cells[0] ?? '')
  if (areYears && filledIn(cells) > 1 && !mayBeItem(cells)) return readLines(rows, at, { isSure: true })
  const from = isFirstSection(rows, at - 1) ? at - 1 : at
  return { from, bodyAt: from, names: [], numberings: 0, isSure: false }
}

/** Whether a name alone above the first item is that of a section: others stand between the items below. */
function isFirstSection(rows: GridRow[], at: number): boolean {
  const isLone = ({ cells }: GridRow) =>
    filledIn(cells) === 1 && cells[0] !== '' && !isContact(cells[0] ?? '') && !isValue(cells[0] ?? '')
  const [above, first, ...below] = rows.slice(Math.max(0, at))
  if (at < 0 || !above || !first || !isLone(above) || !first.cells[0]) return false
  const last = below.findLastIndex(({ cells }) => filledIn(cells) > 1)
  return below.slice(0, Math.max(0, last)).some(isLone)
}

/** Cells that a row of a table has at least: more than half as many as the fuller rows, at least two. */
function leastFilled(rows: GridRow[]): number {
  const counts = rows.map(({ cells }) => filledIn(cells))
  if (Math.max(0, ...counts) < 2) return 1
  const several = counts.filter((count) => count >= 2).sort((a, b) => a - b)
  return Math.max(2, Math.floor((several[Math.floor(several.length * 0.75)] ?? 0) / 2) + 1)
}

/** Whether the rows below hold numbers or days where the header has words. */
function contrastBelow(rows: GridRow[], at: number): boolean {
  const below = rows.slice(at + 1).filter(({ cells }) => filledIn(cells) > 0)
  const near = below.slice(0, ROWS_BELOW)
  return (rows[at]?.cells ?? []).some(
    (cell, column) => cell !== '' && near.filter(({ cells }) => isValue(cells[column] ?? '')).length * 2 > near.length,
  )
}

function readLines(rows: GridRow[], at: number, { isSure, lines }: { isSure: boolean; lines?: number }): Header {
  const from = lines === undefined && isUpperLine(rows, at) ? at - 1 : at
  let names = [...(rows[from]?.cells ?? [])]
  let next = from + 1
  const most = lines ?? LINES_MAX
  while (next - from < most && (lines !== undefined || next <= at || isLowerLine(names, rows, next))) {
    names = joinLines(names, rows[next]?.cells ?? [])
    next += 1
  }
  const numberings = isNumbering(rows, next) ? 1 : 0
  return { from, bodyAt: next + numberings, names, numberings, isSure }
}

/** Whether the row above a header goes with it: names that stand over several of its columns. */
function isUpperLine(rows: GridRow[], at: number): boolean {
  const [upper, own] = [rows[at - 1]?.cells, rows[at]?.cells]
  if (!upper || !own || filledIn(upper) < 2 || !mayBeHeader(upper)) return false
  const first = upper.findIndex(Boolean)
  const isAbove = first > own.findIndex(Boolean) && filledIn(upper) < filledIn(own)
  return isAbove || isBelow(upper, own)
}

function isLowerLine(names: string[], rows: GridRow[], at: number): boolean {
  const lower = rows[at]?.cells ?? []
  return rows.length > at + 1 && filledIn(lower) > 0 && isBelow(names, lower)
}

/** Whether a row continues the names above it: it is empty where they stand alone, and holds no values. */
function isBelow(upper: string[], lower: string[]): boolean {
  const own = lower.map((cell, column) => (cell === upper[column] ? '' : cell))
  const key = upper.findIndex(Boolean)
  if (own[key] || !own.some(Boolean)) return false
  const isGap = (column: number) => !upper[column] && upper.slice(0, column).some(Boolean)
  const gaps = own.flatMap((cell, column) => (cell && isGap(column) ? [column] : []))
  if (own.some((cell) => isContact(cell) || isPlainNumber(cell))) return false
  if (areUnits(own.filter(Boolean))) return true
  return gaps.length > 0 && own.every((cell, column) => !cell || isGap(column) || isGap(column + 1) || areUnits([cell]))
}

/** A name that stands over several columns, each with a name of its own in the row below, stands before all of them: `Остаток, шт`. */
function joinLines(upper: string[], lower: string[]): string[] {
  const width = Math.max(upper.length, lower.length)
  return Array.from({ length: width }, (_, column) => {
    const [over, own] = [upper[column] ?? '', lower[column] ?? '']
    if (own === '' || own === over) return over
    const start = over ? column : upper.slice(0, column).findLastIndex(Boolean)
    const isSpanned = over !== '' || (start >= 0 && (lower[start] ?? '') !== '')
    return isSpanned && upper[start] ? `${upper[start]}, ${own.replace(/^\((.*)\)$/, '$1')}` : own
  })
}

/** A row that numbers the columns, above rows that hold words in one of them. */
function isNumbering(rows: GridRow[], at: number): boolean {
  const cells = rows[at]?.cells ?? []
  if (!numbersColumns(cells)) return false
  const below = rows.slice(at + 1, at + 1 + ROWS_BELOW)
  return cells.some(
    (cell, column) => cell !== '' && below.some(({ cells: own }) => own[column] && !isValue(own[column])),
  )
}
