// Tables of a space: uploaded spreadsheets whose columns have types, so that questions about them can be computed.
import * as z from 'zod/mini'
import type { Id } from './ids.ts'
import type { DocumentErrorReason } from './knowledge.ts'
import type { SourceMarks } from './knowledge-marks.ts'
import { LIST_SEARCH_MAX, TABLE_SHEETS_MAX } from './limits.ts'
import { id, paginationOpts } from './schema.ts'

/** Formats that an upload accepts, by file name extension. */
export const TABLE_FORMATS = ['csv', 'xls', 'xlsx'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/**
 * uploaded ─► analyzing ─► ready ◄─ cancel, clear ─┐
 *    ▲            │          │                      │
 *    │     cancel │   import └─► importing ─► ready, with an imported column
 *    │            ▼                 │  ▲
 *    └─ retry ─ error               ▼  │ retry
 *                                  error
 *
 * Whatever happens to an import, a table that was analyzed can be asked.
 */
export type TableStatus = 'uploaded' | 'analyzing' | 'importing' | 'ready' | 'error'

/** pending ─► processing ─► ready | error. Ready means findable. */
export type TableChunkStatus = 'pending' | 'processing' | 'ready' | 'error'

export const COLUMN_TYPES = ['text', 'number', 'date', 'boolean'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

export type TableColumn = {
  name: string
  type: ColumnType
  /** A few different cells, as they stand in the file. */
  samples: string[]
  /** Cells that are not of the type: they are shown, and left out when the column is compared or added up. */
  unfit: number
  /** The first of them; absent where they were not kept. */
  misfits?: { row: number; cell: string }[]
  /** What its numbers are numbers of, where the cells say so: кг. */
  unit?: string
  /** A person says the type; else the cells do. */
  isChosen?: boolean
  /** The type that a person has chosen, while the values are computed anew. */
  wanted?: ColumnType
}

/** Something a reader of a ready table should know. */
export type TableWarning =
  | { kind: 'rows_left_out'; kept: number }
  | { kind: 'sheets_left_out'; count: number }
  /** Rows that only add up others. */
  | { kind: 'totals_left_out'; count: number }
  | { kind: 'encoding_guessed'; encoding: string }
  /** Rows with more cells than the header; `rows` are the numbers of the first of them. */
  | { kind: 'ragged_rows'; count: number; rows: number[] }

export type DataTable = SourceMarks & {
  _id: Id<'tables'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  format: TableFormat
  sizeBytes: number
  /** Which sheet of its file it is; null where the file has no others. */
  sheet: string | null
  status: TableStatus
  errorReason: DocumentErrorReason | null
  warnings: TableWarning[]
  /** Empty until it is analyzed. */
  columns: TableColumn[]
  rows: number
  /** Its rows are stored with their types, and can be asked. */
  isAnalyzed: boolean
  /** Number from 1 of the column whose texts are searched. */
  importedColumn: number | null
  chunks: TableChunks
  uploadedAt: number
}

/** A sheet of a file, and the table that was made of it; null: none. */
export type SheetState = { name: string; tableId: Id<'tables'> | null }

/** A table in the list of work, which spans all spaces. */
export type TableWorkItem = Pick<DataTable, '_id' | 'name' | 'status' | 'errorReason' | 'chunks'> & {
  spaceSlug: string
}
/** What is being done with tables, the newest of it, and the ones that came to an end last. `unlisted`: how much more is being done. */
export type TableWork = { unfinished: TableWorkItem[]; unlisted: number; ended: TableWorkItem[] }

/** How far an import is. `total` is null until the texts are cut, and without an import. */
export type TableChunks = { total: number | null; ready: number; failed: number }

/** One text of an imported column. */
export type TableChunk = {
  _id: Id<'chunks'>
  content: string
  chunkIndex: number
  tokens: number
  status: TableChunkStatus
}

/** Why no column can be imported now. */
export type ImportObstacle = 'table_not_analyzed' | 'table_is_importing' | 'table_has_chunks'

/** The condition that an import fails; null when a column can be imported. */
export function importObstacle(
  table: Pick<DataTable, 'status' | 'isAnalyzed' | 'importedColumn'>,
): ImportObstacle | null {
  if (!table.isAnalyzed) return 'table_not_analyzed'
  if (table.status === 'importing') return 'table_is_importing'
  return table.importedColumn === null ? null : 'table_has_chunks'
}

/** `number` counts from 1 below the header; cells as they stand in the file. */
export type TableRow = { number: number; cells: string[] }

export const AGGREGATE_FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max'] as const
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number]

/** Rows that one question of an agent to a table was about, and what was computed from them. */
export type UsedRows = {
  columns: string[]
  rows: TableRow[]
  /** How many there are; `rows` holds the first of them. */
  matched: number
  computed?: ComputedGroups
}

/** Numbers of groups of rows, or of all rows. */
export type ComputedGroups = {
  /** Name of the column whose values make the groups; null: there is one group, of all rows. */
  groupedBy: string | null
  /** What `values` of the groups are, in their order; without a column: the number of rows. */
  aggregates: { function: AggregateFunction; column: string | null }[]
  /** `key` is null for rows whose cell is empty. */
  groups: { key: CellValue; values: CellValue[] }[]
  /** How many there are; `groups` holds the first of them. */
  groupCount: number
}
type CellValue = string | number | boolean | null

/** `search`: characters of the name. */
export const listTablesInput = z.strictObject({
  knowledgeSpaceId: id('knowledgeSpaces'),
  search: z.optional(z.string().check(z.maxLength(LIST_SEARCH_MAX))),
  paginationOpts,
})
export const tableInput = z.strictObject({ tableId: id('tables') })
export const tableRowsInput = z.strictObject({ tableId: id('tables'), paginationOpts })
export const takeSheetsInput = z.strictObject({
  tableId: id('tables'),
  sheets: z.array(z.string()).check(z.minLength(1), z.maxLength(TABLE_SHEETS_MAX)),
})
export const setColumnTypeInput = z.strictObject({
  tableId: id('tables'),
  column: z.number().check(z.int(), z.minimum(1)),
  type: z.enum(COLUMN_TYPES),
})
export const importColumnInput = z.strictObject({
  tableId: id('tables'),
  column: z.number().check(z.int(), z.minimum(1)),
})
