// Tables: uploaded spreadsheets whose rows agents may count, compare and add up, and whose texts they find when a column is imported.
// The upload itself is in tables.http.ts, the analysis in tables.analyze.ts, the import in tables.import.ts.

import { tidyLater } from '#server/domain/knowledge/search/add-chunks.ts'
import type { OrgMutationContext } from '#server/functions/context.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  importColumnInput,
  importObstacle,
  listTablesInput,
  setColumnTypeInput,
  setReadingInput,
  settleColumnInput,
  tableInput,
  tableRowsInput,
  takeSheetsInput,
} from '#shared/knowledge/tables.ts'
import { noArgs } from '#shared/schema.ts'
import { deleteChunks } from '../documents/chunks/chunks.store.ts'
import { removeFilesLater } from '../documents/files/files.job.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import { analyzeLater } from './tables.analyze.ts'
import * as imports from './tables.import.store.ts'
import { importLater } from './tables.import.ts'
import { getVisibleTable } from './tables.rows.ts'
import { fileKeyOf, insertSheets, isFileUsed, listSheets, lockFile, tellSheetsLeftOut } from './tables.sheets.store.ts'
import * as store from './tables.store.ts'
import { chooseType, settleColumn as settle } from './tables.types.ts'
import { listTableWork } from './tables.work.store.ts'

/** The tables of a space page by page, newest first, searched by name. @throws not_found */
export const list = orgQuery({
  args: listTablesInput,
  handler: async (ctx, { knowledgeSpaceId, search, paginationOpts }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listTables(ctx, { spaceId: knowledgeSpaceId, search }, paginationOpts)
  },
})

/** Tables of all spaces that are being analyzed or imported, and those that came to an end last. */
export const listWork = orgQuery({ args: noArgs, handler: (ctx) => listTableWork(ctx) })

/** @throws not_found */
export const get = orgQuery({
  args: tableInput,
  handler: (ctx, { tableId }) => getVisibleTable(ctx, tableId),
})

/** The rows in the order of the file; of a table that is not ready, none or some. @throws not_found */
export const rows = orgQuery({
  args: tableRowsInput,
  handler: async (ctx, { tableId, paginationOpts }) => {
    await getVisibleTable(ctx, tableId)
    return store.listRows(ctx, tableId, paginationOpts)
  },
})

/** The texts of the imported column in the order of the rows, with the outcome of each. @throws not_found */
export const chunks = orgQuery({
  args: tableRowsInput,
  handler: async (ctx, { tableId, paginationOpts }) => {
    await getVisibleTable(ctx, tableId)
    return imports.listTableChunks(ctx, tableId, paginationOpts)
  },
})

/** The sheets of a table's file, each with the table made of it; empty where there is nothing to choose. @throws not_found */
export const sheets = orgQuery({
  args: tableInput,
  handler: async (ctx, { tableId }) => {
    await getVisibleTable(ctx, tableId)
    return listSheets(ctx, tableId)
  },
})

/** Makes a table of each of these sheets of a table's file. Safe to repeat. @throws not_found, invalid_arguments for a sheet that it has not */
export const takeSheets = orgMutation({
  args: takeSheetsInput,
  handler: async (ctx, { tableId, sheets: wanted }) => {
    await getVisibleTable(ctx, tableId)
    const fileKey = await fileKeyOf(ctx, tableId)
    if (!fileKey) throw new AppError('not_found')
    await lockFile(ctx, fileKey)
    const known = await listSheets(ctx, tableId)
    if (wanted.some((name) => known.every((sheet) => sheet.name !== name))) {
      throw new AppError('invalid_arguments', { path: 'sheets' })
    }
    const free = known.filter((sheet) => sheet.tableId === null && wanted.includes(sheet.name))
    const ids = await insertSheets(
      ctx,
      tableId,
      free.map(({ name }) => name),
      ctx.now,
    )
    await tellSheetsLeftOut(ctx, fileKey)
    await analyzeLater(ctx, ...ids)
  },
})

/**
 * Sets the type of a column, by which agents compute with it: numbers, dates, yes and no, or texts; unfit cells are left out.
 * @throws not_found, table_not_analyzed, table_busy, invalid_arguments for a column that does not exist
 */
export const setColumnType = orgMutation({
  args: setColumnTypeInput,
  handler: (ctx, { tableId, column, type }) => chooseType(ctx, tableId, column, type),
})

/** Says what the signs or the dates of a column mean that it is in doubt about. @throws as setColumnType */
export const settleColumn = orgMutation({
  args: settleColumnInput,
  handler: (ctx, { tableId, column, means }) => settle(ctx, tableId, column, means),
})

/** The first rows of a table's sheet as written, to choose its header from. @throws not_found */
export const firstRows = orgQuery({
  args: tableInput,
  handler: async (ctx, { tableId }) => {
    await getVisibleTable(ctx, tableId)
    return store.firstRowsOf(ctx, tableId)
  },
})

/**
 * Rereads the file of a table by the header, range and delimiter that a person has chosen; rows added through the API are lost.
 * @throws not_found, table_busy, table_has_chunks
 */
export const setReading = orgMutation({
  args: setReadingInput,
  handler: async (ctx, { tableId, reading }) => {
    const { importedColumn, status } = await getVisibleTable(ctx, tableId)
    if (importedColumn !== null) throw new AppError('table_has_chunks')
    if (status !== 'ready' && status !== 'error') throw new AppError('table_busy')
    if (!(await store.setReading(ctx, tableId, reading, ctx.now))) throw new AppError('table_busy')
    await analyzeLater(ctx, tableId)
  },
})

/**
 * Makes the cells of a column findable. @throws not_found, invalid_arguments, and the condition that fails: table_not_analyzed,
 * table_is_importing, table_has_chunks
 */
export const importColumn = orgMutation({
  args: importColumnInput,
  handler: async (ctx, { tableId, column }) => {
    const table = await getVisibleTable(ctx, tableId)
    const obstacle = importObstacle(table)
    if (obstacle) throw new AppError(obstacle)
    if (!table.columns[column - 1]) throw new AppError('invalid_arguments', { path: 'column' })
    if (!(await imports.startImport(ctx, tableId, column - 1, ctx.now))) throw new AppError('table_is_importing')
    await importLater(ctx, tableId)
  },
})

/** Deletes the texts of the imported column: another can be imported then. @throws not_found, table_has_no_chunks */
export const clearImport = orgMutation({
  args: tableInput,
  handler: async (ctx, { tableId }) => {
    await getVisibleTable(ctx, tableId)
    if (!(await dropImport(ctx, tableId))) throw new AppError('table_has_no_chunks')
  },
})

/** Stops the analysis of a table, or its import; what was imported is deleted. @throws not_found, table_not_cancellable */
export const cancel = orgMutation({
  args: tableInput,
  handler: async (ctx, { tableId }) => {
    const { status } = await getVisibleTable(ctx, tableId)
    const isCancelled =
      status === 'importing' ? await dropImport(ctx, tableId) : await store.failTable(ctx, tableId, 'cancelled')
    if (!isCancelled) throw new AppError('table_not_cancellable')
  },
})

/** Analyzes a table in state error again, or continues its import. @throws not_found, table_not_retryable */
export const retry = orgMutation({
  args: tableInput,
  handler: async (ctx, { tableId }) => {
    await getVisibleTable(ctx, tableId)
    if (await store.restartTable(ctx, tableId, ctx.now)) await analyzeLater(ctx, tableId)
    else if (await imports.restartImport(ctx, tableId, ctx.now)) await importLater(ctx, tableId)
    else throw new AppError('table_not_retryable')
  },
})

/** Deletes a table with its rows, its texts and, if it is the last one made of it, its file. They are not found from the commit on. @throws not_found */
export const remove = orgMutation({
  args: tableInput,
  handler: async (ctx, { tableId }) => {
    await dropImport(ctx, tableId)
    const fileKey = await store.deleteTable(ctx, tableId)
    if (!fileKey) throw new AppError('not_found')
    if (await isFileUsed(ctx, fileKey)) await tellSheetsLeftOut(ctx, fileKey)
    else await removeFilesLater(ctx, [fileKey])
  },
})

/** @returns whether there was an import */
async function dropImport(ctx: OrgMutationContext, tableId: Id<'tables'>): Promise<boolean> {
  const { knowledgeSpaceId } = await getVisibleTable(ctx, tableId)
  if (!(await imports.forgetImport(ctx, tableId, ctx.now))) return false
  await deleteChunks(ctx, knowledgeSpaceId, tableId)
  await tidyLater(ctx, knowledgeSpaceId)
  return true
}
