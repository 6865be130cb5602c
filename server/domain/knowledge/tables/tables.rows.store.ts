// SQL for single rows of tables, and for the chunks of their imported column.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { TypedRow } from './tables.rows.rules.ts'

type TableId = Id<'tables'>

/** Locks the table until the end of the transaction. */
export async function lockTable(ctx: OrgStoreContext, id: TableId): Promise<void> {
  await ctx.db
    .selectFrom('knowledge_tables')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select('id')
    .forUpdate()
    .execute()
}

/** The number of the last row; 0 for an empty table. */
export async function lastRowNumber(ctx: OrgStoreContext, id: TableId): Promise<number> {
  const row = await rowsOf(ctx, id)
    .select((eb) => eb.fn.max('number').as('last'))
    .executeTakeFirst()
  return row?.last ?? 0
}

/** Adds rows, numbered from `first`. */
export async function addRows(ctx: OrgStoreContext, id: TableId, first: number, rows: TypedRow[]): Promise<void> {
  await ctx.db
    .insertInto('table_rows')
    .values(
      rows.map(({ cells, typed }, at) => ({
        organization_id: ctx.organizationId,
        table_id: id,
        number: first + at,
        cells: JSON.stringify(cells),
        typed: JSON.stringify(typed),
      })),
    )
    .execute()
}

/** @returns whether there was such a row */
export async function replaceRow(ctx: OrgStoreContext, id: TableId, number: number, row: TypedRow): Promise<boolean> {
  const changed = await ctx.db
    .updateTable('table_rows')
    .set({ cells: JSON.stringify(row.cells), typed: JSON.stringify(row.typed) })
    .where('organization_id', '=', ctx.organizationId)
    .where('table_id', '=', id)
    .where('number', '=', number)
    .returning('number')
    .executeTakeFirst()
  return changed !== undefined
}

/** @returns whether there was such a row */
export async function deleteRow(ctx: OrgStoreContext, id: TableId, number: number): Promise<boolean> {
  const deleted = await ctx.db
    .deleteFrom('table_rows')
    .where('organization_id', '=', ctx.organizationId)
    .where('table_id', '=', id)
    .where('number', '=', number)
    .returning('number')
    .executeTakeFirst()
  return deleted !== undefined
}

/** The place behind the last chunk of a table. */
export async function nextOrdinal(ctx: OrgStoreContext, id: TableId): Promise<number> {
  const row = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('source_id', '=', id)
    .select((eb) => eb.fn.max('ordinal').as('last'))
    .executeTakeFirst()
  return (row?.last ?? -1) + 1
}

/** Keeps the counters of a table true. */
export async function countChange(
  ctx: OrgStoreContext,
  id: TableId,
  change: { rows: number; chunks: number },
  now: Date,
): Promise<void> {
  await ctx.db
    .updateTable('knowledge_tables')
    .set((eb) => ({
      row_count: eb('row_count', '+', change.rows),
      chunk_count: eb('chunk_count', '+', change.chunks),
      ready_chunk_count: eb('ready_chunk_count', '+', change.chunks),
      updated_at: now,
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

function rowsOf(ctx: OrgStoreContext, id: TableId) {
  return ctx.db.selectFrom('table_rows').where('organization_id', '=', ctx.organizationId).where('table_id', '=', id)
}
