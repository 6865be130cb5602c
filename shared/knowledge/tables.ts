// Tables of a space: uploaded spreadsheets whose columns have types, so that questions about them can be computed.
import * as z from 'zod/mini'
import { CSV_DELIMITERS, type CsvDelimiter } from '#shared/csv.ts'
import type { Id } from '#shared/ids.ts'
import { LIST_SEARCH_MAX, TABLE_SHEETS_MAX } from '#shared/limits.ts'
import { id, paginationOpts } from '#shared/schema.ts'
import type { DocumentErrorReason } from './knowledge.ts'
import type { SourceMarks } from './knowledge-marks.ts'

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
 * Whatever happens to an import, an analyzed table can be queried.
 */
export type TableStatus = 'uploaded' | 'analyzing' | 'importing' | 'ready' | 'error'

/** pending ─► processing ─► ready | error. Ready means findable. */
export type TableChunkStatus = 'pending' | 'processing' | 'ready' | 'error'

export const COLUMN_TYPES = ['text', 'number', 'date', 'boolean'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

export type TableColumn = {
  name: string
  type: ColumnType
  /** A few different cells, as written in the file. */
  samples: string[]
  /** What these were read as, in their order; absent where it was not kept. */
  readAs?: (string | number | boolean | null)[]
  /** Cells that are not of the type: they are shown, and left out when the column is compared or added up. */
  unfit: number
  /** The first of them; absent where they were not kept. */
  misfits?: { row: number; cell: string }[]
  /** The unit of its numbers, where the cells or its name give it: кг, ₸. */
  unit?: string
  /** Its numbers have several units, which are in another column, counted from 1; an empty one is an unknown unit. */
  units?: { column: number; values: string[] }
  /** Cells that have a value, but not quite that of a number: the reader of an answer should know. */
  notes?: ColumnNote[]
  /** An ambiguity that only a person can resolve; the column is not used in computations until then. */
  doubt?: ColumnDoubt
  /** The meaning of the signs in its numbers, as set by a person or the file. */
  signs?: Partial<Record<NumberSign, SignMeaning>>
  /** The order of the parts of its dates, where a person has set it. */
  dates?: DateOrder
  /** Of texts: cells that look like numbers, which have no order as texts. */
  numbers?: number
  /** A person says the type; else the cells do. */
  isChosen?: boolean
  /** The type chosen by a person, while the values are being recomputed. */
  wanted?: ColumnType
}

export type NumberSign = ',' | '.'
const SIGN_MEANINGS = ['thousands', 'decimal'] as const
export type SignMeaning = (typeof SIGN_MEANINGS)[number]
const DATE_ORDERS = ['day-first', 'month-first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/**
 * zero: a word of stock that means none, or a word of price that means free; at_least: "from 900", ">100"; about: "≈900";
 * marked: with the mark of a footnote; merged: a cell over several rows, counted in the first.
 */
export type NoteKind = 'zero' | 'at_least' | 'about' | 'marked' | 'merged'
/** `cells`: the first of them. */
export type ColumnNote = { kind: NoteKind; count: number; cells: { row: number; cell: string }[] }

const LONE_ROWS = ['sections', 'items'] as const
export type LoneRows = (typeof LONE_ROWS)[number]

/** A cell, and what it would be read as. */
export type ColumnDoubt =
  | { kind: 'sign'; sign: NumberSign; examples: { cell: string; thousands: number; decimal: number }[] }
  | { kind: 'date_order'; examples: { cell: string; dayFirst: string; monthFirst: string }[] }

/** How a person wants a file to be read; missing fields are detected. Rows and columns count from 1. */
export type TableReading = {
  delimiter?: CsvDelimiter | undefined
  /** The first header row; 0: no header, the first row is an item. */
  headerRow?: number | undefined
  headerRows?: number | undefined
  lastRow?: number | undefined
  firstColumn?: number | undefined
  lastColumn?: number | undefined
  /** The meaning of rows with only a name: sections, or items without further data. */
  loneRows?: LoneRows | undefined
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
  /** Rows that name a section: the column of that name says in which each row is. */
  | { kind: 'sections'; count: number; column: string; names: string[] }
  /** Lines above, below and between the rows that are no items. */
  | { kind: 'notes_left_out'; count: number; texts: string[] }
  /** Repeated headers, and rows that number the columns. */
  | { kind: 'headers_left_out'; count: number }
  | { kind: 'hidden_left_out'; rows: number; columns: number }
  | { kind: 'hidden_sheets_left_out'; count: number }
  /** Cells of which something is struck through: they are read without it. */
  | { kind: 'struck_left_out'; count: number }
  /** Empty cells of a column that repeat the value above. */
  | { kind: 'filled_down'; column: string; count: number }
  /** Two delimiters divide the file as well: a person has to say. */
  | { kind: 'delimiter_unsure'; chosen: CsvDelimiter; readings: { delimiter: CsvDelimiter; rows: string[][] }[] }
  /** No row names the columns, or one that may as well be an item: a person has to say. */
  | { kind: 'header_unsure' }
  /** Rows of which only the name is filled may be sections or items: a person has to say. They are taken for items. */
  | { kind: 'sections_unsure'; count: number; names: string[] }

/** An ambiguity of a whole table that only a person can resolve; nothing is computed until then. */
export function isTableDoubt({ kind }: TableWarning): boolean {
  return kind === 'delimiter_unsure' || kind === 'header_unsure' || kind === 'sections_unsure'
}

/** Whether a table has an open question for a person. */
export function hasDoubt({ warnings, columns }: Pick<DataTable, 'warnings' | 'columns'>): boolean {
  return warnings.some(isTableDoubt) || columns.some(({ doubt }) => doubt !== undefined)
}

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
  /** How a person wants its file to be read. */
  reading: TableReading
  /** Empty until it is analyzed. */
  columns: TableColumn[]
  rows: number
  /** Its rows are stored with their types, and can be queried. */
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
/** Work on tables: the newest in progress, and the latest that ended. `unlisted`: how many more are in progress. */
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

/** `number` counts from 1 below the header; cells as written in the file. */
export type TableRow = { number: number; cells: string[] }

export const AGGREGATE_FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max'] as const
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number]

/** Rows that an agent's question to a table matched, and what was computed from them. */
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
const rowNumber = z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000))
const columnNumber = z.number().check(z.int(), z.minimum(1), z.maximum(1000))
export const setReadingInput = z.strictObject({
  tableId: id('tables'),
  reading: z.strictObject({
    delimiter: z.optional(z.enum(CSV_DELIMITERS)),
    headerRow: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000))),
    headerRows: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(3))),
    lastRow: z.optional(rowNumber),
    firstColumn: z.optional(columnNumber),
    lastColumn: z.optional(columnNumber),
    loneRows: z.optional(z.enum(LONE_ROWS)),
  }),
})
/** `means`: of the sign or the dates that a column is in doubt about. */
export const settleColumnInput = z.strictObject({
  tableId: id('tables'),
  column: z.number().check(z.int(), z.minimum(1)),
  means: z.enum([...SIGN_MEANINGS, ...DATE_ORDERS]),
})
export const importColumnInput = z.strictObject({
  tableId: id('tables'),
  column: z.number().check(z.int(), z.minimum(1)),
})
