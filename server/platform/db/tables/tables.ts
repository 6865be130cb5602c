// Tables of a space and their rows.
import type { Generated, GeneratedAlways } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { DocumentErrorReason } from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'
import type { TableColumn, TableFormat, TableReading, TableStatus, TableWarning } from '#shared/knowledge/tables.ts'
import type { DefaultJson, Json, Timestamp } from './columns.ts'

export interface TablesTable {
  id: Id<'tables'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  name: string
  /** The name as lists are searched by. */
  name_key: GeneratedAlways<string>
  format: TableFormat
  size_bytes: number
  /** Key of the stored upload, which tables of several sheets share. */
  file_key: string
  /** Which sheet of a workbook it is; null: of no workbook, or it is not known yet. */
  sheet: string | null
  /** Sheets of its file that hold something, of which tables can be made; empty for no workbook. */
  sheets: DefaultJson<string[]>
  status: TableStatus
  /** Grows with every attempt; a worker of an older attempt may not write. */
  attempt: Generated<number>
  error_reason: DocumentErrorReason | null
  warnings: Json<TableWarning[]>
  /** How a person wants its file to be read. */
  reading: DefaultJson<TableReading>
  /** The beginning of its sheet as it is written, empty until it is analyzed. */
  first_rows: DefaultJson<string[][]>
  /** Empty until it is analyzed. */
  columns: Json<TableColumn[]>
  /** Its rows were changed since the columns were described: that is queued to be made up for. */
  columns_stale_at: Timestamp | null
  row_count: Generated<number>
  /** When its rows were stored; null: not, or not yet. */
  analyzed_at: Timestamp | null
  /** From 0. */
  imported_column: number | null
  /** Null until all chunks of an import are cut. */
  chunk_count: number | null
  ready_chunk_count: Generated<number>
  failed_chunk_count: Generated<number>
  /** Last sign of life of the worker that analyzes or imports it. */
  heartbeat_at: Timestamp | null
  tags: DefaultJson<string[]>
  /** Found from this instant on, and until that one; null: no end on that side. */
  valid_from: Timestamp | null
  valid_until: Timestamp | null
  /** As its text tells, and as a person says; null: it does not, nobody does. */
  text_language: SourceLanguage | null
  chosen_language: SourceLanguage | null
  /** What a person says, else what the text tells. */
  language: GeneratedAlways<SourceLanguage> | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface TableRowsTable {
  organization_id: Id<'organizations'>
  table_id: Id<'tables'>
  /** From 1, below the header. */
  number: number
  /** As they stand in the file. */
  cells: Json<string[]>
  /** As they are compared and added up; null: empty, or not of the column's type. */
  typed: Json<(string | number | boolean | null)[]>
}
