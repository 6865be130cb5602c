// SQL for tables: their states and what the analysis writes. Each write of a worker names the attempt it belongs to: after a newer
// attempt, a cancellation or a deletion it changes nothing. Imports of a column are in tables.import.store.ts, queries over the rows in
// tables.query.store.ts.
import type { Selectable } from 'kysely'
import { languageOf } from '#server/domain/knowledge/search/analysis/language.ts'
import type { ChosenTypes } from '#server/domain/knowledge/search/parsers/tables/column-types.ts'
import type { ParsedTable } from '#server/domain/knowledge/search/parsers/tables/parse-table.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { KnowledgeTablesTable } from '#server/platform/db/tables/tables.ts'
import { type Page, paginate } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { type DocumentErrorReason, searchKey } from '#shared/knowledge/knowledge.ts'
import type {
  DataTable,
  TableColumn,
  TableFormat,
  TableReading,
  TableRow,
  TableStatus,
} from '#shared/knowledge/tables.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { toMarks } from '../documents/source-metadata.store.ts'
import { lockFile, tellSheetsLeftOut } from './tables.sheets.store.ts'

type TableId = Id<'tables'>

export type NewTable = {
  id: TableId
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  format: TableFormat
  fileKey: string
  sizeBytes: number
}
/** One attempt at one table. */
export type TableAttempt = { tableId: TableId; attempt: number }
/** `sheet`: which of a workbook was chosen; null: whichever comes first. */
export type ClaimedTable = TableAttempt & {
  format: TableFormat
  fileKey: string
  sheet: string | null
  /** What people have chosen for its columns in an earlier analysis. */
  choices: ChosenTypes
  reading: TableReading
}

const UNANALYZED: TableStatus[] = ['uploaded', 'analyzing']

/** The tables of a space whose names hold the searched characters, newest first. */
export function listTables(
  ctx: OrgStoreContext,
  { spaceId, search = '' }: { spaceId: Id<'knowledgeSpaces'>; search?: string | undefined },
  opts: PaginationOpts,
): Promise<Page<DataTable>> {
  const key = searchKey(search)
  const all = tables(ctx).selectAll().where('knowledge_space_id', '=', spaceId)
  const query = key ? all.where((eb) => eb(eb.fn<number>('strpos', ['name_key', eb.val(key)]), '>', 0)) : all
  const order = {
    by: [
      ['created_at', 'instant'],
      ['id', 'text'],
    ],
    direction: 'desc',
  } as const
  return paginate(ctx, query, opts, order, toTable)
}

/** Analyzed tables of some spaces, oldest first. */
export async function listAnalyzedTables(
  ctx: OrgStoreContext,
  spaceIds: Id<'knowledgeSpaces'>[],
): Promise<DataTable[]> {
  if (spaceIds.length === 0) return []
  const rows = await tables(ctx)
    .where('knowledge_space_id', 'in', spaceIds)
    .where('analyzed_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .selectAll()
    .execute()
  return rows.map(toTable)
}

/** @throws AppError not_found */
export async function getTable(ctx: OrgStoreContext, id: TableId): Promise<DataTable> {
  const row = await tables(ctx).where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toTable(row)
}

/** Keys of the stored files of a space's tables. */
export async function listTableFileKeys(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>): Promise<string[]> {
  const rows = await tables(ctx).where('knowledge_space_id', '=', spaceId).select('file_key').execute()
  return rows.map((row) => row.file_key)
}

/** Rows in the order of the file. */
export function listRows(ctx: OrgStoreContext, id: TableId, opts: PaginationOpts): Promise<Page<TableRow>> {
  const query = ctx.db
    .selectFrom('table_rows')
    .where('organization_id', '=', ctx.organizationId)
    .where('table_id', '=', id)
    .select(['number', 'cells'])
  return paginate(ctx, query, opts, { by: [['number', 'integer']], direction: 'asc' }, (row) => row)
}

/** Adds a table whose file is stored and waits to be analyzed. */
export async function insertTable(ctx: OrgStoreContext, table: NewTable, now: Date): Promise<void> {
  await ctx.db
    .insertInto('knowledge_tables')
    .values({
      id: table.id,
      organization_id: ctx.organizationId,
      knowledge_space_id: table.knowledgeSpaceId,
      name: table.name,
      format: table.format,
      size_bytes: table.sizeBytes,
      file_key: table.fileKey,
      sheet: null,
      status: 'uploaded',
      error_reason: null,
      warnings: '[]',
      columns: '[]',
      analyzed_at: null,
      heartbeat_at: null, // it waits for its turn, however long
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** From error back to uploaded, unless it was an import that failed. @returns whether it was in that state */
export async function restartTable(ctx: OrgStoreContext, id: TableId, now: Date): Promise<boolean> {
  const row = await changeTable(ctx, id, ['error'])
    .where('analyzed_at', 'is', null)
    .set({ status: 'uploaded', error_reason: null, heartbeat_at: null, updated_at: now })
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Begins a new attempt without the rows of earlier ones. Undefined when the table does not wait for one. */
export async function claimTable(ctx: OrgStoreContext, id: TableId): Promise<ClaimedTable | undefined> {
  const row = await changeTable(ctx, id, [...UNANALYZED, 'error'])
    .where((eb) => eb.or([eb('status', '<>', 'error'), eb('error_reason', '=', 'not_started')]))
    .set((eb) => ({
      status: 'analyzing',
      error_reason: null,
      attempt: eb('attempt', '+', 1),
      heartbeat_at: new Date(),
    }))
    .returning(['attempt', 'format', 'file_key', 'sheet', 'columns', 'reading'])
    .executeTakeFirst()
  if (!row) return undefined
  await deleteRows(ctx, id)
  return {
    tableId: id,
    attempt: row.attempt,
    format: row.format,
    fileKey: row.file_key,
    sheet: row.sheet,
    choices: choicesOf(row.columns),
    reading: row.reading,
  }
}

function choicesOf(columns: TableColumn[]): ChosenTypes {
  return columns.flatMap(({ name, type, isChosen, wanted, signs, dates }) => {
    if (!isChosen && !wanted && !signs && !dates) return []
    const chosen = wanted ?? (isChosen ? type : undefined)
    return [{ name, ...(chosen && { type: chosen }), ...(signs && { signs }), ...(dates && { dates }) }]
  })
}

/** @returns whether the attempt at analyzing is the current one */
export async function isCurrentAnalysis(ctx: OrgStoreContext, { tableId, attempt }: TableAttempt): Promise<boolean> {
  const row = await tables(ctx)
    .where('id', '=', tableId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'analyzing')
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Adds rows, numbered from `first`. @returns false when the attempt is no longer the current one */
export async function insertRows(
  ctx: OrgStoreContext,
  attempt: TableAttempt,
  first: number,
  rows: ParsedTable['rows'],
): Promise<boolean> {
  const current = await ofAttempt(ctx, attempt).set({ heartbeat_at: new Date() }).returning('id').executeTakeFirst()
  if (!current) return false
  await ctx.db
    .insertInto('table_rows')
    .values(
      rows.map(({ cells, typed }, index) => ({
        organization_id: ctx.organizationId,
        table_id: attempt.tableId,
        number: first + index,
        cells: JSON.stringify(cells),
        typed: JSON.stringify(typed),
      })),
    )
    .execute()
  return true
}

/** Ends an attempt: the table can be queried. @returns false when it is no longer the current one */
export async function finishTable(ctx: OrgStoreContext, claimed: ClaimedTable, parsed: ParsedTable): Promise<boolean> {
  const now = new Date()
  await lockFile(ctx, claimed.fileKey)
  const row = await ofAttempt(ctx, claimed)
    .set({
      sheet: parsed.sheet,
      sheets: JSON.stringify(parsed.sheets),
      status: 'ready',
      columns: JSON.stringify(parsed.columns),
      warnings: JSON.stringify(parsed.warnings),
      first_rows: JSON.stringify(parsed.firstRows),
      row_count: parsed.rows.length,
      text_language: languageOf(textsOf(parsed)),
      analyzed_at: now,
      heartbeat_at: null,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirst()
  if (row && parsed.sheets.length > 1) await tellSheetsLeftOut(ctx, claimed.fileKey)
  return row !== undefined
}

/** Queues an analyzed table to be read again as a person wants. @returns whether it was at rest */
export async function setReading(
  ctx: OrgStoreContext,
  id: TableId,
  reading: TableReading,
  now: Date,
): Promise<boolean> {
  const row = await changeTable(ctx, id, ['ready', 'error'])
    .set({
      reading: JSON.stringify(reading),
      status: 'uploaded',
      error_reason: null,
      analyzed_at: null,
      heartbeat_at: null,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The first rows of a table's sheet, as written. */
export async function firstRowsOf(ctx: OrgStoreContext, id: TableId): Promise<string[][]> {
  const row = await tables(ctx).where('id', '=', id).select('first_rows').executeTakeFirst()
  return row?.first_rows ?? []
}

/** Names of columns, then cells: the first of them suffice to detect the language. */
function* textsOf({ columns, rows }: ParsedTable): Generator<string> {
  for (const { name } of columns) yield name
  for (const { cells } of rows) yield* cells
}

/** From uploaded or analyzing to error, without rows; its worker may write no more. @returns whether it was being analyzed */
export async function failTable(
  ctx: OrgStoreContext,
  id: TableId,
  reason: DocumentErrorReason,
  attempt?: number,
): Promise<boolean> {
  const row = await changeTable(ctx, id, UNANALYZED)
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt ?? 0))
    .set((eb) => ({
      status: 'error',
      error_reason: reason,
      attempt: eb('attempt', '+', 1),
      heartbeat_at: null,
      updated_at: new Date(),
    }))
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await deleteRows(ctx, id)
  return true
}

/** Deletes a table with its rows. @returns the key of its file; undefined when there was no such table */
export async function deleteTable(ctx: OrgStoreContext, id: TableId): Promise<string | undefined> {
  const deleted = await ctx.db
    .deleteFrom('knowledge_tables')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('file_key')
    .executeTakeFirst()
  return deleted?.file_key
}

/** `waiting`: no worker has started on it. */
export type StuckTable = TableAttempt & {
  organizationId: Id<'organizations'>
  state: 'waiting' | 'analyzing' | 'importing'
}

/** Tables of all organizations whose worker has given no sign of life, or that have waited to be analyzed, since then. */
export async function listStuckTables(ctx: StoreContext, since: { life: Date; waiting: Date }): Promise<StuckTable[]> {
  const rows = await ctx.db
    .selectFrom('knowledge_tables')
    .where('status', 'in', [...UNANALYZED, 'importing'])
    .where((eb) =>
      eb.or([
        eb('heartbeat_at', '<', since.life),
        eb.and([eb('status', '=', 'uploaded'), eb('heartbeat_at', 'is', null), eb('updated_at', '<', since.waiting)]),
      ]),
    )
    .select(['organization_id', 'id', 'attempt', 'status'])
    .execute()
  return rows.map((row) => ({
    organizationId: row.organization_id,
    tableId: row.id,
    attempt: row.attempt,
    state: row.status === 'importing' ? 'importing' : row.status === 'uploaded' ? 'waiting' : 'analyzing',
  }))
}

async function deleteRows(ctx: OrgStoreContext, id: TableId): Promise<void> {
  await ctx.db
    .deleteFrom('table_rows')
    .where('organization_id', '=', ctx.organizationId)
    .where('table_id', '=', id)
    .execute()
}

/** A change of a table that is in one of these states. */
export function changeTable(ctx: OrgStoreContext, id: TableId, from: TableStatus[]) {
  return ctx.db
    .updateTable('knowledge_tables')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', 'in', from)
}

function ofAttempt(ctx: OrgStoreContext, { tableId, attempt }: TableAttempt) {
  return changeTable(ctx, tableId, ['analyzing']).where('attempt', '=', attempt)
}

function tables(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('knowledge_tables').where('organization_id', '=', ctx.organizationId)
}

function toTable(row: Selectable<KnowledgeTablesTable>): DataTable {
  return {
    _id: row.id,
    ...toMarks(row),
    knowledgeSpaceId: row.knowledge_space_id,
    name: row.name,
    format: row.format,
    sizeBytes: Number(row.size_bytes),
    sheet: row.sheets.length > 1 ? row.sheet : null,
    status: row.status,
    errorReason: row.error_reason,
    warnings: row.warnings,
    reading: row.reading,
    columns: row.columns,
    rows: row.row_count,
    isAnalyzed: row.analyzed_at !== null,
    importedColumn: row.imported_column === null ? null : row.imported_column + 1,
    chunks: { total: row.chunk_count, ready: row.ready_chunk_count, failed: row.failed_chunk_count },
    uploadedAt: row.created_at.getTime(),
  }
}
