// Tables of a space: uploaded spreadsheets whose columns have types, so that questions about them can be computed.
import * as z from 'zod/mini'
import type { Id } from './ids.ts'
import type { DocumentErrorReason } from './knowledge.ts'
import { id, paginationOpts } from './schema.ts'

/** Formats that an upload accepts, by file name extension. */
export const TABLE_FORMATS = ['csv', 'xls', 'xlsx'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/**
 * uploaded ─► analyzing ─► ready
 *    ▲            │
 *    │     cancel │
 *    │            ▼
 *    └─ retry ─ error
 */
export type TableStatus = 'uploaded' | 'analyzing' | 'ready' | 'error'

export type ColumnType = 'text' | 'number' | 'date' | 'boolean'

export type TableColumn = {
  name: string
  type: ColumnType
  /** A few different cells, as they stand in the file. */
  samples: string[]
  /** Cells that are not of the type: they are shown, and left out when the column is compared or added up. */
  unfit: number
}

/** Something a reader of a ready table should know. */
export type TableWarning =
  | { kind: 'rows_left_out'; kept: number }
  | { kind: 'sheets_left_out'; count: number }
  | { kind: 'encoding_guessed'; encoding: string }

export type DataTable = {
  _id: Id<'tables'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  format: TableFormat
  sizeBytes: number
  status: TableStatus
  errorReason: DocumentErrorReason | null
  warnings: TableWarning[]
  /** Empty until it is analyzed. */
  columns: TableColumn[]
  rows: number
  uploadedAt: number
}

/** `number` counts from 1 below the header; cells as they stand in the file. */
export type TableRow = { number: number; cells: string[] }

/** Rows from which an answer was computed. */
export type UsedRows = {
  columns: string[]
  rows: TableRow[]
  /** Rows that the question was about; `rows` holds the first of them. */
  matched: number
}

export const tablesInput = z.strictObject({ knowledgeSpaceId: id('knowledgeSpaces') })
export const tableInput = z.strictObject({ tableId: id('tables') })
export const tableRowsInput = z.strictObject({ tableId: id('tables'), paginationOpts })
