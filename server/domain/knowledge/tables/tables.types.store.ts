// SQL for recomputing the values of one column. Requires the lock on the row of the table, like all changes of rows.
import { sql } from 'kysely'
import type { TypedValue } from '#server/domain/knowledge/search/parsers/tables/column-types.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { TableColumn } from '#shared/knowledge/tables.ts'

type TableId = Id<'tables'>

export type NumberedCell = { number: number; cell: string }

/** The columns of a table that was analyzed; undefined for another. */
export async function columnsOf(ctx: OrgStoreContext, id: TableId): Promise<TableColumn[] | undefined> {
  const row = await ctx.db
    .selectFrom('knowledge_tables')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('analyzed_at', 'is not', null)
    .where('status', 'not in', ['uploaded', 'analyzing'])
    .select('columns')
    .executeTakeFirst()
  return row?.columns
}

/** Describes the columns otherwise. */
export async function setColumns(ctx: OrgStoreContext, id: TableId, columns: TableColumn[]): Promise<void> {
  await ctx.db
    .updateTable('knowledge_tables')
    .set({ columns: JSON.stringify(columns) })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** The cells of a column, counted from 0, in the order of the rows, behind the row with that number. */
export async function listCells(
  ctx: OrgStoreContext,
  id: TableId,
  column: number,
  { after, most }: { after: number; most: number },
): Promise<NumberedCell[]> {
  const rows = await rowsOf(ctx, id)
    .where('number', '>', after)
    .select(['number', sql<string | null>`cells ->> ${sql.lit(Math.trunc(column))}`.as('cell')])
    .orderBy('number')
    .limit(most)
    .execute()
  return rows.map(({ number, cell }) => ({ number, cell: cell ?? '' }))
}

/** Gives rows other values in one column; in one statement, which for 50,000 rows takes a third of what fifty take. */
export async function writeValues(
  ctx: OrgStoreContext,
  id: TableId,
  column: number,
  values: [number: number, value: TypedValue][],
): Promise<void> {
  const path = sql.lit(`{${Math.trunc(column)}}`)
  await ctx.db
    .updateTable('table_rows')
    .from(sql<{ pair: unknown }>`jsonb_array_elements(${JSON.stringify(values)}::jsonb)`.as<'given'>(sql`given(pair)`))
    .set({ typed: sql<string>`jsonb_set(typed, ${path}, given.pair -> 1)` })
    .where('organization_id', '=', ctx.organizationId)
    .where('table_id', '=', id)
    .where(sql<boolean>`number = (given.pair ->> 0)::integer`)
    .execute()
}

function rowsOf(ctx: OrgStoreContext, id: TableId) {
  return ctx.db.selectFrom('table_rows').where('organization_id', '=', ctx.organizationId).where('table_id', '=', id)
}
