// Tables: uploaded spreadsheets whose rows agents may count, compare and add up. The upload itself is in tables.http.ts, the analysis
// in tables.analyze.ts.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { tableInput, tableRowsInput, tablesInput } from '#shared/tables.ts'
import { removeFilesLater } from './files.job.ts'
import { assertSpace } from './spaces.store.ts'
import { analyzeLater } from './tables.analyze.ts'
import * as store from './tables.store.ts'

/** All tables of a space, newest first. @throws not_found */
export const list = orgQuery({
  args: tablesInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listTables(ctx, knowledgeSpaceId)
  },
})

/** @throws not_found */
export const get = orgQuery({
  args: tableInput,
  handler: (ctx, { tableId }) => store.getTable(ctx, tableId),
})

/** The rows in the order of the file; of a table that is not ready, none or some. @throws not_found */
export const rows = orgQuery({
  args: tableRowsInput,
  handler: async (ctx, { tableId, paginationOpts }) => {
    await store.getTable(ctx, tableId)
    return store.listRows(ctx, tableId, paginationOpts)
  },
})

/** Stops the analysis of a table. @throws not_found, table_not_cancellable */
export const cancel = orgMutation({
  args: tableInput,
  handler: async (ctx, { tableId }) => {
    await store.getTable(ctx, tableId)
    if (!(await store.failTable(ctx, tableId, 'cancelled'))) throw new AppError('table_not_cancellable')
  },
})

/** Analyzes a table in state error again. @throws not_found, table_not_retryable */
export const retry = orgMutation({
  args: tableInput,
  handler: async (ctx, { tableId }) => {
    await store.getTable(ctx, tableId)
    if (!(await store.restartTable(ctx, tableId, ctx.now))) throw new AppError('table_not_retryable')
    await analyzeLater(ctx, tableId)
  },
})

/** Deletes a table with its rows and its file. @throws not_found */
export const remove = orgMutation({
  args: tableInput,
  handler: async (ctx, { tableId }) => {
    const fileKey = await store.deleteTable(ctx, tableId)
    if (!fileKey) throw new AppError('not_found')
    await removeFilesLater(ctx, [fileKey])
  },
})
