// The rows of a sheet as a table can be made of them: without what its author has hidden, within the range that a person has chosen.
import type { TableReading } from '#shared/knowledge/tables.ts'

/** One sheet of a file; a file without sheets is one without a name. Cells are known by row and column of the sheet, see `markAt`. */
export type Sheet = {
  name: string | null
  rows: string[][]
  levels: number[]
  natives: ReadonlySet<string>
  repeats: ReadonlySet<string>
  struck: ReadonlySet<string>
  hiddenRows: ReadonlySet<number>
  hiddenColumns: ReadonlySet<number>
}
/** `at`: index of the row in its sheet, from 0. */
export type GridRow = { at: number; cells: string[]; level: number }
/** `columns`: index of each of its columns in the sheet, from 0. Rows are as wide as there are columns. */
export type Grid = { rows: GridRow[]; columns: number[] }

/** How many rows and columns that hold something were left out because they are hidden, and cells of which something is struck through. */
export type LeftOut = { rows: number; columns: number; struck: number }

/** Rows of which all is struck through are left out as well. */
export function gridOf(sheet: Sheet, reading: TableReading): { grid: Grid; hidden: LeftOut } {
  const width = sheet.rows.reduce((most, row) => Math.max(most, row.length), 0)
  const isIn = (column: number) =>
    column + 1 >= (reading.firstColumn ?? 1) && column + 1 <= (reading.lastColumn ?? Number.POSITIVE_INFINITY)
  const all = Array.from({ length: width }, (_, column) => column).filter(isIn)
  const columns = all.filter((column) => !sheet.hiddenColumns.has(column))
  const isFilled = (column: number) => sheet.rows.some((row) => row[column])
  const rows = sheet.rows
    .map(
      (row, at): GridRow => ({ at, cells: columns.map((column) => row[column] ?? ''), level: sheet.levels[at] ?? 0 }),
    )
    .slice(0, reading.lastRow)
  const isHidden = ({ at }: GridRow) => sheet.hiddenRows.has(at)
  const shown = rows.filter((row) => !isHidden(row))
  const struckIn = ({ at }: GridRow) =>
    sheet.struck.size === 0 ? 0 : columns.filter((column) => sheet.struck.has(`${at}:${column}`)).length
  return {
    grid: { rows: shown.filter((row) => row.cells.some(Boolean) || struckIn(row) === 0), columns },
    hidden: {
      struck: shown.reduce((sum, row) => sum + struckIn(row), 0),
      rows: rows.filter((row) => isHidden(row) && row.cells.some(Boolean)).length,
      columns: all.filter((column) => sheet.hiddenColumns.has(column) && isFilled(column)).length,
    },
  }
}

/** What the column is called in which the items have their names. */
const NAME = /^(?:наимен|назв|товар|услуг|продук|издели|модел|item|product|name|service|тауар|атау|қызмет)/iu

/**
 * Tables that stand side by side, with an empty column between them, each of two columns or more. They are several where they
 * repeat a name or end at different rows; else the empty column only divides one table for the eye.
 */
export function splitByColumns(grid: Grid): Grid[] {
  const runs = filledRuns(grid)
  if (runs.length < 2 || runs.some(({ from, to }) => to - from < 2)) return [grid]
  const parts = runs.map(
    ({ from, to }): Grid => ({
      columns: grid.columns.slice(from, to),
      rows: grid.rows.map((row) => ({ ...row, cells: row.cells.slice(from, to) })),
    }),
  )
  const ends = parts.map(({ rows }) => rows.findLastIndex(({ cells }) => cells.filter(Boolean).length > 1))
  return new Set(ends).size > 1 || repeatsName(parts) ? parts : [grid]
}

function filledRuns({ rows, columns }: Grid): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  for (const column of columns.keys()) {
    if (!rows.some(({ cells }) => cells[column])) continue
    const last = runs.at(-1)
    if (last && last.to === column) last.to = column + 1
    else runs.push({ from: column, to: column + 1 })
  }
  return runs
}

function repeatsName(parts: Grid[]): boolean {
  const first = parts[0]?.rows.find(({ cells }) => cells.filter(Boolean).length > 1)
  if (!first) return false
  const names = parts.map(({ rows }) => rows.find(({ at }) => at === first.at)?.cells.filter(Boolean) ?? [])
  if (names.filter(([own = '']) => NAME.test(own)).length > 1) return true
  const all = names.flatMap((each) => [...new Set(each.map((name) => name.toLowerCase()))])
  return new Set(all).size < all.length
}
