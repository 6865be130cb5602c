// SQL for the import of a column: its chunks, from cut to searchable. Each write of a worker names the attempt it belongs to.
import type { Selectable } from 'kysely'
import type { IndexedChunk } from '#server/domain/knowledge/search/retrieval.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ChunksTable } from '#server/platform/db/tables/knowledge.ts'
import { type Page, paginate } from '#server/platform/functions/paginate.ts'
import type { Id } from '#shared/ids.ts'
import type { DocumentErrorReason } from '#shared/knowledge/knowledge.ts'
import type { TableChunk, TableColumn, TableRow } from '#shared/knowledge/tables.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { markTableChunks, putBackChunks, takePendingChunks } from '../documents/chunks/table-chunks.store.ts'
import { changeTable, type TableAttempt } from './tables.store.ts'

type TableId = Id<'tables'>

export type ClaimedImport = TableAttempt & {
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  columns: TableColumn[]
  /** From 0. */
  column: number
  /** All chunks are cut: an earlier attempt came so far. */
  isCut: boolean
}

/** The chunks of a table's imported column, in the order of its rows. */
export function listTableChunks(ctx: OrgStoreContext, id: TableId, opts: PaginationOpts): Promise<Page<TableChunk>> {
  return paginate(ctx, chunksOf(ctx, id).selectAll(), opts, { by: [['ordinal', 'integer']], direction: 'asc' }, toChunk)
}

/** From ready without an imported column to importing. `column` counts from 0. @returns whether it was in that state */
export async function startImport(ctx: OrgStoreContext, id: TableId, column: number, now: Date): Promise<boolean> {
  const row = await changeTable(ctx, id, ['ready'])
    .where('imported_column', 'is', null)
    .set({ status: 'importing', imported_column: column, heartbeat_at: null, updated_at: now })
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** From error back to importing: ready chunks stay, the rest is retried. @returns whether an import had failed */
export async function restartImport(ctx: OrgStoreContext, id: TableId, now: Date): Promise<boolean> {
  const row = await changeTable(ctx, id, ['error'])
    .where('imported_column', 'is not', null)
    .set({ status: 'importing', error_reason: null, failed_chunk_count: 0, heartbeat_at: null, updated_at: now })
    .returning('id')
    .executeTakeFirst()
  if (row) await putBackChunks(ctx, id, ['error'])
  return row !== undefined
}

/** To ready without an imported column, from any state; its worker may write no more. The chunks are left to the caller. */
export async function forgetImport(ctx: OrgStoreContext, id: TableId, now: Date): Promise<boolean> {
  const row = await changeTable(ctx, id, ['importing', 'ready', 'error'])
    .where('imported_column', 'is not', null)
    .set((eb) => ({
      status: 'ready',
      error_reason: null,
      imported_column: null,
      chunk_count: null,
      ready_chunk_count: 0,
      failed_chunk_count: 0,
      attempt: eb('attempt', '+', 1),
      heartbeat_at: null,
      updated_at: now,
    }))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Begins a new attempt, which takes up where an earlier one has ended. Undefined when the table does not wait for one. */
export async function claimImport(ctx: OrgStoreContext, id: TableId): Promise<ClaimedImport | undefined> {
  const row = await changeTable(ctx, id, ['importing'])
    .set((eb) => ({ attempt: eb('attempt', '+', 1), heartbeat_at: new Date() }))
    .returning(['attempt', 'knowledge_space_id', 'name', 'columns', 'imported_column', 'chunk_count'])
    .executeTakeFirst()
  if (!row || row.imported_column === null) return undefined
  await putBackChunks(ctx, id, ['processing'])
  return {
    tableId: id,
    attempt: row.attempt,
    knowledgeSpaceId: row.knowledge_space_id,
    name: row.name,
    columns: row.columns,
    column: row.imported_column,
    isCut: row.chunk_count !== null,
  }
}

/** A sign of life. @returns false when the attempt is no longer the current one */
export async function isCurrentImport(ctx: OrgStoreContext, attempt: TableAttempt): Promise<boolean> {
  const row = await ofAttempt(ctx, attempt).set({ heartbeat_at: new Date() }).returning('id').executeTakeFirst()
  return row !== undefined
}

/** Rows in the order of the file, behind the one with that number. */
export async function listRowsAfter(
  ctx: OrgStoreContext,
  id: TableId,
  after: number,
  most: number,
): Promise<TableRow[]> {
  return ctx.db
    .selectFrom('table_rows')
    .where('organization_id', '=', ctx.organizationId)
    .where('table_id', '=', id)
    .where('number', '>', after)
    .select(['number', 'cells'])
    .orderBy('number')
    .limit(most)
    .execute()
}

/** Says how many chunks there are, now that all are cut. */
export async function recordCut(ctx: OrgStoreContext, attempt: TableAttempt, chunkCount: number): Promise<void> {
  await ofAttempt(ctx, attempt).set({ chunk_count: chunkCount, ready_chunk_count: 0 }).execute()
}

/** The next chunks to be indexed, in state processing from now on. Undefined when the attempt is no longer the current one. */
export async function takePending(
  ctx: OrgStoreContext,
  attempt: TableAttempt,
  most: number,
): Promise<IndexedChunk[] | undefined> {
  if (!(await isCurrentImport(ctx, attempt))) return undefined
  const rows = await takePendingChunks(ctx, attempt.tableId, most)
  rows.sort((a, b) => a.ordinal - b.ordinal)
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    headingPath: row.heading_path,
    body: row.body,
    alsoAskedAs: row.also_asked_as,
  }))
}

/**
 * Records the outcome of some chunks: indexed, or failed. @returns false, having changed nothing, when the attempt is no longer the current
 * one
 */
export async function recordIndexed(
  ctx: OrgStoreContext,
  attempt: TableAttempt,
  chunkIds: Id<'chunks'>[],
  status: 'ready' | 'error',
): Promise<boolean> {
  const counter = status === 'ready' ? 'ready_chunk_count' : 'failed_chunk_count'
  const current = await ofAttempt(ctx, attempt)
    .set((eb) => ({ [counter]: eb(counter, '+', chunkIds.length), heartbeat_at: new Date() }))
    .returning('id')
    .executeTakeFirst()
  if (!current) return false
  await markTableChunks(ctx, { tableId: attempt.tableId, ids: chunkIds, status })
  return true
}

/** Ends an attempt. No-op when it is no longer the current one. */
export async function finishImport(
  ctx: OrgStoreContext,
  attempt: TableAttempt,
  failure: DocumentErrorReason | null,
): Promise<void> {
  await ofAttempt(ctx, attempt)
    .set((eb) => ({
      status: failure ? 'error' : 'ready',
      error_reason: failure,
      attempt: eb('attempt', '+', 1),
      heartbeat_at: null,
      updated_at: new Date(),
    }))
    .execute()
}

function ofAttempt(ctx: OrgStoreContext, { tableId, attempt }: TableAttempt) {
  return changeTable(ctx, tableId, ['importing']).where('attempt', '=', attempt)
}

function chunksOf(ctx: OrgStoreContext, id: TableId) {
  return ctx.db.selectFrom('chunks').where('organization_id', '=', ctx.organizationId).where('source_id', '=', id)
}

function toChunk(row: Selectable<ChunksTable>): TableChunk {
  return {
    _id: row.id,
    content: row.body,
    chunkIndex: row.ordinal,
    tokens: row.token_count,
    status: row.import_status ?? 'ready',
  }
}
