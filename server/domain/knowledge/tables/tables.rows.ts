// Adds, replaces and removes single rows of a ready table. Each within the caller's transaction: computations of agents and search hits of
// the imported column change together. The description of the columns follows.

import { indexFewChunks, tidyLater } from '#server/domain/knowledge/search/add-chunks.ts'
import { finishChunks } from '#server/domain/knowledge/search/chunking/finish-chunks.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { DataTable, TableRow } from '#shared/knowledge/tables.ts'
import { TABLE_ROWS_MAX } from '#shared/limits.ts'
import { insertChunks } from '../documents/chunks/chunks.store.ts'
import { deleteRowChunks } from '../documents/chunks/table-chunks.store.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import type { WriteContext } from '../spaces/writes.ts'
import { rowChunks } from './tables.chunks.ts'
import { describeColumnsLater } from './tables.columns.ts'
import { type GivenRow, typedRow } from './tables.rows.rules.ts'
import * as store from './tables.rows.store.ts'
import { getTable } from './tables.store.ts'

type TableId = Id<'tables'>

/** A table of a space that was not removed. @throws AppError not_found */
export async function getVisibleTable(ctx: OrgStoreContext, id: TableId): Promise<DataTable> {
  const table = await getTable(ctx, id)
  await assertSpace(ctx, table.knowledgeSpaceId)
  return table
}

/** Adds rows at the end. @throws AppError not_found, table_busy, too_many_rows, invalid_arguments */
export async function addTableRows(ctx: WriteContext, id: TableId, given: GivenRow[]): Promise<TableRow[]> {
  const table = await getReady(ctx, id)
  if (table.rows + given.length > TABLE_ROWS_MAX) throw new AppError('too_many_rows', { max: TABLE_ROWS_MAX })
  const typed = given.map((row, at) => typedRow(table.columns, row, `rows.${at}`))
  const first = (await store.lastRowNumber(ctx, id)) + 1
  await store.addRows(ctx, id, first, typed)
  const rows = typed.map(({ cells }, at) => ({ number: first + at, cells }))
  const chunks = await addChunks(ctx, table, rows)
  await store.countChange(ctx, id, { rows: rows.length, chunks }, ctx.now)
  await describeColumnsLater(ctx, id)
  return rows
}

/** Gives a row other cells. @throws AppError not_found, table_busy, invalid_arguments */
export async function replaceTableRow(
  ctx: WriteContext,
  id: TableId,
  number: number,
  given: GivenRow,
): Promise<TableRow> {
  const table = await getReady(ctx, id)
  const typed = typedRow(table.columns, given, 'row')
  if (!(await store.replaceRow(ctx, id, number, typed))) throw new AppError('not_found')
  const row = { number, cells: typed.cells }
  const removed = await removeChunks(ctx, table, number)
  const added = await addChunks(ctx, table, [row])
  await store.countChange(ctx, id, { rows: 0, chunks: added - removed }, ctx.now)
  await describeColumnsLater(ctx, id)
  return row
}

/** Removes a row; the others keep their numbers. @throws AppError not_found, table_busy */
export async function removeTableRow(ctx: WriteContext, id: TableId, number: number): Promise<void> {
  const table = await getReady(ctx, id)
  if (!(await store.deleteRow(ctx, id, number))) throw new AppError('not_found')
  const removed = await removeChunks(ctx, table, number)
  await store.countChange(ctx, id, { rows: -1, chunks: -removed }, ctx.now)
  await describeColumnsLater(ctx, id)
}

/** Locks the table until the end of the transaction. */
async function getReady(ctx: OrgStoreContext, id: TableId): Promise<DataTable> {
  await store.lockTable(ctx, id)
  const table = await getVisibleTable(ctx, id)
  const isAtRest = table.status === 'ready' || table.status === 'error' // whatever became of an import, its rows are there
  if (!table.isAnalyzed || !isAtRest) throw new AppError('table_busy')
  return table
}

/** @returns how many were there */
async function removeChunks(ctx: WriteContext, table: DataTable, number: number): Promise<number> {
  if (table.importedColumn === null) return 0
  const removed = await deleteRowChunks(ctx, table._id, number)
  await tidyLater(ctx, table.knowledgeSpaceId)
  return removed
}

/** What search finds of rows, where a column of their table is imported. @returns how many chunks */
async function addChunks(ctx: WriteContext, table: DataTable, rows: TableRow[]): Promise<number> {
  const { _id: id, knowledgeSpaceId, name: title, columns, importedColumn } = table
  if (importedColumn === null) return 0
  const cut = await finishChunks(rows.flatMap((row) => rowChunks(columns, importedColumn - 1, row)))
  if (cut.length === 0) return 0
  const first = await store.nextOrdinal(ctx, id)
  const chunks = cut.map((chunk, at) => ({ ...chunk, id: newId('chunks'), ordinal: first + at }))
  await insertChunks(ctx, { knowledgeSpaceId, kind: 'table', id, title, alsoAskedAs: [] }, chunks)
  const indexed = chunks.map((chunk) => ({
    id: chunk.id,
    headingPath: chunk.headingPath,
    body: chunk.body,
    title,
    alsoAskedAs: [],
  }))
  await indexFewChunks(ctx, knowledgeSpaceId, indexed)
  return chunks.length
}
