// Tables of a space and their rows.
import type { Generated, GeneratedAlways } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { DocumentErrorReason } from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'
import type { TableColumn, TableFormat, TableReading, TableStatus, TableWarning } from '#shared/knowledge/tables.ts'
import type { DefaultJson, Json, Timestamp } from './columns.ts'

export interface KnowledgeTablesTable {
  id: Id<'tables'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  name: string
  /** Normalized name, for searching lists. */
  name_key: GeneratedAlways<string>
  format: TableFormat
  size_bytes: number
  /** Key of the stored upload, which tables of several sheets share. */
  file_key: string
  /** Its sheet in a workbook; null: not from a workbook, or not known yet. */
  sheet: string | null
  /** Non-empty sheets of its file, from which tables can be made; empty unless a workbook. */
  sheets: DefaultJson<string[]>
  status: TableStatus
  /** Grows with every attempt; a worker of an older attempt may not write. */
  attempt: Generated<number>
  error_reason: DocumentErrorReason | null
  warnings: Json<TableWarning[]>
  /** How its file is to be read, as set by a person. */
  reading: DefaultJson<TableReading>
  /** The first rows of its sheet as written, empty until it is analyzed. */
  first_rows: DefaultJson<string[][]>
  /** Empty until it is analyzed. */
  columns: Json<TableColumn[]>
  /** When its rows changed after the columns were described; a new description is queued. */
  columns_stale_at: Timestamp | null
  row_count: Generated<number>
  /** When its rows were stored; null: not yet. */
  analyzed_at: Timestamp | null
  /** From 0. */
  imported_column: number | null
  /** Null until all chunks of an import are cut. */
  chunk_count: number | null
  ready_chunk_count: Generated<number>
  failed_chunk_count: Generated<number>
  /** Last heartbeat of the worker that analyzes or imports it. */
  heartbeat_at: Timestamp | null
  tags: DefaultJson<string[]>
  /** Validity period within which it is found, start included; null: open on that side. */
  valid_from: Timestamp | null
  valid_until: Timestamp | null
  /** Detected from its text, and set by a person; null: not detected, not set. */
  text_language: SourceLanguage | null
  chosen_language: SourceLanguage | null
  /** The one set by a person, else the detected one. */
  language: GeneratedAlways<SourceLanguage> | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface TableRowsTable {
  organization_id: Id<'organizations'>
  table_id: Id<'tables'>
  /** From 1, below the header. */
  number: number
  /** As written in the file. */
  cells: Json<string[]>
  /** Parsed for comparison and sums; null: empty, or not of the column's type. */
  typed: Json<(string | number | boolean | null)[]>
}
