// SQL of chunks of tables, which are indexed one after another: each says how far it is.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { TableChunkStatus } from '#shared/knowledge/tables.ts'

type TableId = Id<'tables'>

/** Takes some pending chunks of a table to index them, the first ones. In no order. */
export async function takePendingChunks(ctx: OrgStoreContext, id: TableId, most: number) {
  const next = ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('source_id', '=', id)
    .where('import_status', '=', 'pending')
    .select('id')
    .orderBy('ordinal')
    .limit(most)
  return ctx.db
    .updateTable('chunks')
    .set({ import_status: 'processing' })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', next)
    .returning(['id', 'ordinal', 'title', 'heading_path', 'body', 'also_asked_as'])
    .execute()
}

/** What became of chunks of a table. They can be found when they are ready. */
export async function markTableChunks(
  ctx: OrgStoreContext,
  { tableId, ids, status }: { tableId: TableId; ids: Id<'chunks'>[]; status: 'ready' | 'error' },
): Promise<void> {
  await ctx.db
    .updateTable('chunks')
    .set({ import_status: status, is_enabled: status === 'ready' })
    .where('organization_id', '=', ctx.organizationId)
    .where('source_id', '=', tableId)
    .where('id', 'in', ids)
    .execute()
}

/** Chunks of a table in one of these states are to be indexed again. */
export async function putBackChunks(ctx: OrgStoreContext, id: TableId, from: TableChunkStatus[]): Promise<void> {
  await ctx.db
    .updateTable('chunks')
    .set({ import_status: 'pending' })
    .where('organization_id', '=', ctx.organizationId)
    .where('source_id', '=', id)
    .where('import_status', 'in', from)
    .execute()
}

/** Deletes chunks by their ids. */
export async function deleteTableChunks(ctx: OrgStoreContext, ids: Id<'chunks'>[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.deleteFrom('chunks').where('organization_id', '=', ctx.organizationId).where('id', 'in', ids).execute()
}

/** Deletes what search finds of one row. @returns how many chunks there were */
export async function deleteRowChunks(ctx: OrgStoreContext, id: TableId, number: number): Promise<number> {
  const deleted = await ctx.db
    .deleteFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('source_id', '=', id)
    .where('first_row', '=', number)
    .returning('id')
    .execute()
  return deleted.length
}
