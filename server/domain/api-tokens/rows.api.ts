// /api/v1/spaces/:spaceId/tables and /api/v1/tables/:tableId/rows — rows of tables, each as a value for every column by its name.
import type { Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { assertSpace } from '#server/domain/knowledge/spaces/spaces.store.ts'
import {
  addTableRows,
  getVisibleTable,
  removeTableRow,
  replaceTableRow,
} from '#server/domain/knowledge/tables/tables.rows.ts'
import { listRows, listTables } from '#server/domain/knowledge/tables/tables.store.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { API_ROWS_MAX, TABLE_CELL_MAX } from '#shared/limits.ts'
import { type ApiEnv, answerWrite, readBody, readPage } from './request.ts'

const cell = z.union([z.string().check(z.maxLength(TABLE_CELL_MAX)), z.number(), z.boolean(), z.null()])
const row = z.record(z.string(), cell)
const rowsInput = z.strictObject({ rows: z.array(row).check(z.minLength(1), z.maxLength(API_ROWS_MAX)) })
const rowInput = z.strictObject({ row })

/** Adds the routes. */
export function rowsApi(api: Hono<ApiEnv>): void {
  api.get('/spaces/:spaceId/tables', async (c) => {
    const spaceId = c.req.param('spaceId') as Id<'knowledgeSpaces'>
    const page = await c.var.call.read(async (ctx) => {
      await assertSpace(ctx, spaceId)
      return listTables(ctx, { spaceId }, readPage(c))
    })
    return c.json({ items: page.page, nextCursor: page.isDone ? null : page.continueCursor })
  })

  api.get('/tables/:tableId/rows', async (c) => {
    const page = await c.var.call.read(async (ctx) => {
      await getVisibleTable(ctx, tableIdOf(c))
      return listRows(ctx, tableIdOf(c), readPage(c))
    })
    return c.json({ items: page.page, nextCursor: page.isDone ? null : page.continueCursor })
  })

  api.post('/tables/:tableId/rows', async (c) => {
    const { content, args } = await readBody(c, rowsInput, {})
    return answerWrite(c, content, async (ctx) => {
      return { status: 201, body: { items: await addTableRows(ctx, tableIdOf(c), args.rows) } }
    })
  })

  api.put('/tables/:tableId/rows/:number', async (c) => {
    const { content, args } = await readBody(c, rowInput, {})
    return answerWrite(c, content, async (ctx) => {
      return { status: 200, body: await replaceTableRow(ctx, tableIdOf(c), numberOf(c), args.row) }
    })
  })

  api.delete('/tables/:tableId/rows/:number', (c) =>
    answerWrite(c, '', async (ctx) => {
      await removeTableRow(ctx, tableIdOf(c), numberOf(c))
      return { status: 200, body: { removed: true } }
    }),
  )
}

function tableIdOf(c: Context<ApiEnv>): Id<'tables'> {
  return (c.req.param('tableId') ?? '') as Id<'tables'>
}

/** Anything but a number matches no row. */
function numberOf(c: Context<ApiEnv>): number {
  const text = c.req.param('number') ?? ''
  if (!/^\d{1,9}$/.test(text)) throw new AppError('not_found')
  return Number(text)
}
