// How much of tables reaches a model and the record of an answer. Pure.
import type { DataTable, TableRow } from '#shared/tables.ts'

/** Tables that one answer is told of. */
const TABLES_MAX = 30
/** Characters that describe all tables to a model. */
const DESCRIPTION_CHARACTERS = 12_000
/** Characters of one sample. */
const SAMPLE_CHARACTERS = 40
/** Characters of one cell of a result. */
const CELL_CHARACTERS = 200
/** Characters of all rows of a result. */
const ROWS_CHARACTERS = 8_000

/** Descriptions of tables that are given the oldest first: the newest, as many as fit; where the room is scarce, without samples. */
export function describeTables(tables: DataTable[]): { known: DataTable[]; text: string } {
  const newest = tables.slice(-TABLES_MAX).reverse()
  const full = newest.map((table) => describe(table, true))
  if (lengthOf(full) <= DESCRIPTION_CHARACTERS) return { known: newest, text: full.join('\n') }
  const short = newest.map((table) => describe(table, false))
  while (short.length > 1 && lengthOf(short) > DESCRIPTION_CHARACTERS) short.pop()
  return { known: newest.slice(0, short.length), text: short.join('\n') }
}

/** The first rows, as many as fit, with long cells cut. At least one, if there is any. */
export function fitRows(rows: TableRow[]): TableRow[] {
  const cut = rows.map(({ number, cells }) => ({ number, cells: cells.map((cell) => shorten(cell, CELL_CHARACTERS)) }))
  let characters = 0
  const end = cut.findIndex(({ cells }, index) => {
    characters += lengthOf(cells)
    return index > 0 && characters > ROWS_CHARACTERS
  })
  return end < 0 ? cut : cut.slice(0, end)
}

/** What of its file a table does not hold, in words for a model; empty: nothing is missing. */
export function missingOf({ warnings }: Pick<DataTable, 'warnings'>): string[] {
  return warnings.flatMap((warning) => {
    if (warning.kind === 'rows_left_out') return [`the file has more rows: only the first ${warning.kept} are known`]
    if (warning.kind === 'sheets_left_out') return [`the file has ${warning.count} more sheets, which are not known`]
    return []
  })
}

function describe({ _id, name, sheet, rows, columns, warnings }: DataTable, hasSamples: boolean): string {
  const missing = missingOf({ warnings })
  return JSON.stringify({
    table: _id,
    name,
    ...(sheet !== null && { sheet }),
    rows,
    ...(missing.length > 0 && { missing }),
    columns: columns.map((column, index) => ({
      column: index + 1,
      name: column.name,
      type: column.type,
      ...(column.unit !== undefined && { unit: column.unit }),
      ...(column.unfit > 0 && { cellsOfAnotherType: column.unfit }),
      ...(hasSamples && { samples: column.samples.map((sample) => shorten(sample, SAMPLE_CHARACTERS)) }),
    })),
  })
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
}

function lengthOf(texts: string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}
