// SQL for the description of a table's columns after its rows were changed. Transactions that change rows, and the one that saves the
// description, lock the row of the table first: they cannot deadlock.
import { sql } from 'kysely'
import type { TypedValue } from '#server/domain/knowledge/search/parsers/tables/column-types.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { TableChunkStatus, TableColumn, TableStatus } from '#shared/knowledge/tables.ts'
import { deleteTableChunks } from '../documents/chunks/table-chunks.store.ts'

type TableId = Id<'tables'>

export type TypedCells = { number: number; cells: string[]; typed: TypedValue[] }
export type DescribedTable = {
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  status: TableStatus
  /** From 0. */
  importedColumn: number | null
}
export type SummaryChunk = { id: Id<'chunks'>; contentHash: string; importStatus: TableChunkStatus | null }

/** @returns whether the columns were not marked for a new description yet */
export async function markStale(ctx: OrgStoreContext, id: TableId, now: Date): Promise<boolean> {
  const row = await tableOf(ctx, id)
    .set({ columns_stale_at: now })
    .where('columns_stale_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a column of it is being imported. */
export async function isImporting(ctx: OrgStoreContext, id: TableId): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('knowledge_tables')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'importing')
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The described columns, claimed for a new description. Undefined for a table that was never analyzed. */
export async function takeStale(ctx: OrgStoreContext, id: TableId): Promise<TableColumn[] | undefined> {
  const row = await tableOf(ctx, id)
    .set({ columns_stale_at: null })
    .where('analyzed_at', 'is not', null)
    .returning('columns')
    .executeTakeFirst()
  return row?.columns
}

/** Rows in the order of the file, behind the one with that number. */
export function listTypedRows(ctx: OrgStoreContext, id: TableId, after: number, most: number): Promise<TypedCells[]> {
  return ctx.db
    .selectFrom('table_rows')
    .where('organization_id', '=', ctx.organizationId)
    .where('table_id', '=', id)
    .where('number', '>', after)
    .select(['number', 'cells', 'typed'])
    .orderBy('number')
    .limit(most)
    .execute()
}

/** Undefined when the columns were changed meanwhile, or the table is gone. */
export async function saveColumns(
  ctx: OrgStoreContext,
  id: TableId,
  before: TableColumn[],
  columns: TableColumn[],
): Promise<DescribedTable | undefined> {
  const row = await tableOf(ctx, id)
    .set({ columns: JSON.stringify(columns) })
    .where(sql<boolean>`columns = ${JSON.stringify(before)}::jsonb`)
    .returning(['knowledge_space_id', 'name', 'status', 'imported_column'])
    .executeTakeFirst()
  return (
    row && {
      knowledgeSpaceId: row.knowledge_space_id,
      name: row.name,
      status: row.status,
      importedColumn: row.imported_column,
    }
  )
}

/** The chunks that are about the table as a whole: they name no row. */
export async function listSummary(ctx: OrgStoreContext, id: TableId): Promise<SummaryChunk[]> {
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('source_id', '=', id)
    .where('first_row', 'is', null)
    .select(['id', 'content_hash', 'import_status'])
    .orderBy('ordinal')
    .execute()
  return rows.map((row) => ({ id: row.id, contentHash: row.content_hash, importStatus: row.import_status }))
}

/** Deletes chunks about the table as a whole, and counts `next` ready ones in their place. */
export async function dropSummary(
  ctx: OrgStoreContext,
  id: TableId,
  chunks: SummaryChunk[],
  next: number,
): Promise<void> {
  const count = (...statuses: (TableChunkStatus | null)[]) =>
    chunks.filter(({ importStatus }) => statuses.includes(importStatus)).length
  await tableOf(ctx, id)
    .set((eb) => ({
      chunk_count: eb('chunk_count', '+', next - chunks.length),
      ready_chunk_count: eb('ready_chunk_count', '+', next - count('ready', null)),
      failed_chunk_count: eb('failed_chunk_count', '-', count('error')),
    }))
    .execute()
  await deleteTableChunks(
    ctx,
    chunks.map((chunk) => chunk.id),
  )
}

function tableOf(ctx: OrgStoreContext, id: TableId) {
  return ctx.db.updateTable('knowledge_tables').where('organization_id', '=', ctx.organizationId).where('id', '=', id)
}
