// The tables of one sheet: below each other, each with a header of its own, and side by side.
import type { TableReading } from '#shared/knowledge/tables.ts'
import { type Grid, type GridRow, splitByColumns } from './grid.ts'
import { findHeader, type Header, headerAt, LINES_MAX } from './header-lines.ts'
import { filledIn, isContact, isValue, mayBeHeader, wordShare } from './row-kinds.ts'

/** One table of a sheet. `body`: all rows below the header, with empty ones between them; `above`: lines that stand over it. */
export type Region = { title: string | null; header: Header; columns: number[]; above: GridRow[]; body: GridRow[] }

/** Rows below a possible header that show what stands there; its own further lines are among them. */
const ROWS_BELOW = 4 + LINES_MAX - 1
const TITLE_MAX = 60
/** Share of the names of a header from which a row is the same one. */
const WHOLE_HEADER = 0.75
/** Rows above a header that may go with it. */
const LINES_ABOVE = 8

/** In the order of the sheet; empty where nothing can be a table. */
export function regionsOf(grid: Grid, reading: TableReading): Region[] {
  const { headerRow } = reading
  if (headerRow !== undefined) return chosenRegion(grid, headerRow, reading.headerRows)
  return splitByColumns(grid).flatMap(regionsBelow)
}

/** Where a person says that the header is. */
function chosenRegion({ rows, columns }: Grid, headerRow: number, lines: number | undefined): Region[] {
  const first = rows.findIndex(({ at, cells }) => at + 1 >= headerRow && (headerRow > 0 || filledIn(cells) > 0))
  if (first < 0) return []
  const header =
    headerRow === 0
      ? { from: first, bodyAt: first, names: [], numberings: 0, isSure: true }
      : headerAt(rows, first, lines)
  return [{ title: null, header, columns, above: rows.slice(0, first), body: rows.slice(header.bodyAt) }]
}

function regionsBelow({ rows, columns }: Grid): Region[] {
  const regions: Region[] = []
  let rest = rows
  for (;;) {
    const header = findHeader(rest)
    if (!header) return regions
    const above = rest.slice(0, header.from)
    const below = rest.slice(header.bodyAt)
    const end = nextTableAt(below, header)
    const body = end === undefined ? below : below.slice(0, end)
    regions.push({ title: titleOf(above), header, columns, above, body })
    if (end === undefined) return regions
    rest = below.slice(end)
  }
}

/** The last line of words above a header. */
function titleOf(above: GridRow[]): string | null {
  const lines = above.map(({ cells }) => cells.filter(Boolean)).filter((cells) => cells.length > 0)
  const [title, ...others] = lines.at(-1) ?? []
  return title && others.length === 0 && title.length <= TITLE_MAX && !isContact(title) && !isValue(title)
    ? title
    : null
}

/** Where in a body another table begins, its title counted with it; undefined: nowhere. */
function nextTableAt(body: GridRow[], header: Header): number | undefined {
  const numeric = numericColumns(body)
  for (const [at, { cells }] of body.entries()) {
    if (at < 1 || filledIn(cells) < 2 || !mayBeHeader(cells) || isSameHeader(cells, header)) continue
    if (isCalledLikeItems(body, at)) continue
    const start = startOf(body, at)
    const isApart = start < at || filledIn(body[at - 1]?.cells ?? []) === 0
    const isNamed = isApart && wordShare(cells) > 0.5 && filledIn(body[at + 1]?.cells ?? []) > 1
    if (!isNamed && !hasValuesBelow(body, at, cells)) continue
    const isStrange = numeric.filter((column) => cells[column]).length > 0
    const isCalled = wordShare(cells) > 0.5 && isStrange
    if (isCalled || (isApart && (isStrange || wordShare(cells) >= 0.5))) return start
  }
  return undefined
}

/** The row itself, or the empty row, the title and the line with the telephone above it. */
function startOf(body: GridRow[], at: number): number {
  let start = at
  let blank: number | undefined
  let contact: number | undefined
  while (start > 1 && at - start < LINES_ABOVE) {
    const cells = body[start - 1]?.cells ?? []
    if (filledIn(cells) > 1 && !cells.some(isContact)) break
    start -= 1
    if (filledIn(cells) === 0) blank = start
    else if (cells.some(isContact)) contact = start
  }
  return blank ?? contact ?? at
}

function hasValuesBelow(body: GridRow[], at: number, cells: string[]): boolean {
  const near = body.slice(at + 1, at + 1 + ROWS_BELOW).filter((row) => filledIn(row.cells) > 1)
  if (near.length === 0) return false
  return near.some((row) => row.cells.some((cell, column) => cells[column] && isValue(cell)))
}

/** Whether the row above begins with the same word: both are items then. */
function isCalledLikeItems(body: GridRow[], at: number): boolean {
  const column = body[at]?.cells.findIndex(Boolean) ?? 0
  const wordAt = (row: number) => /[\p{L}\p{N}]+/u.exec(body[row]?.cells[column] ?? '')?.[0].toLowerCase()
  const above = body.slice(0, at).findLastIndex(({ cells }) => filledIn(cells) > 1)
  return above >= 0 && wordAt(above) === wordAt(at)
}

/** Columns that mostly hold numbers or days. */
function numericColumns(body: GridRow[]): number[] {
  const width = body[0]?.cells.length ?? 0
  return Array.from({ length: width }, (_, column) => column).filter((column) => {
    const filled = body.flatMap(({ cells }) => cells[column] || [])
    return filled.length > 0 && filled.filter(isValue).length * 2 >= filled.length
  })
}

/** A repeated header, or one of its lines, as at the top of a printed page. */
export function isSameHeader(cells: string[], { names }: Pick<Header, 'names'>): boolean {
  const filled = cells.flatMap((cell, column) => (cell ? [{ cell, name: names[column] ?? '' }] : []))
  const isWhole = filled.length >= WHOLE_HEADER * names.filter(Boolean).length
  const isLower = !cells[names.findIndex(Boolean)]
  if (filled.length < 2 || !(isWhole || isLower)) return false
  return filled.every(({ cell, name }) => {
    const [own, full] = [cell.toLowerCase(), name.toLowerCase()]
    return full === own || full.startsWith(`${own}, `) || full.endsWith(`, ${own}`)
  })
}
