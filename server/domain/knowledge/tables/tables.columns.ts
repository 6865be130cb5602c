// The description of a table's columns, updated after single rows were changed: samples, unfit cells, and the text by which the table
// itself is found. Recomputed in the background, once for all changes of a few seconds.

import { indexFewChunks, tidyLater } from '#server/domain/knowledge/search/add-chunks.ts'
import { type FinishedChunk, finishChunks } from '#server/domain/knowledge/search/chunking/finish-chunks.ts'
import {
  type ColumnFacts,
  noFacts,
  noteCell,
  saysNothing,
} from '#server/domain/knowledge/search/parsers/tables/column-types.ts'
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { TableColumn } from '#shared/knowledge/tables.ts'
import { insertChunks } from '../documents/chunks/chunks.store.ts'
import type { JobContext, WriteContext } from '../spaces/writes.ts'
import { summaryChunk } from './tables.chunks.ts'
import * as store from './tables.columns.store.ts'

type ColumnServices = Pick<Services, 'database' | 'jobs'>
type ColumnData = { organizationId: Id<'organizations'>; tableId: Id<'tables'> }

/** From the first change on, milliseconds. */
const BURST_MS = 2000
/** Until it is looked again whether an import is over, which makes the same text from what it knew when it began. */
const IMPORT_MS = 30_000
const ROWS_PER_READ = 1000

export const describeColumnsJob = defineJob<ColumnData, ColumnServices>({
  name: 'knowledge.describe-columns',
  limitSeconds: 120,
  concurrency: 1,
  run: (services, data, signal) => describeColumns(services, data, signal),
})

/** To be called when rows of a table were changed. No-op when it is queued already. */
export async function describeColumnsLater(ctx: WriteContext, tableId: Id<'tables'>): Promise<void> {
  if (!(await store.markStale(ctx, tableId, ctx.now))) return
  await describeIn(ctx, tableId, BURST_MS)
}

function describeIn(ctx: JobContext, tableId: Id<'tables'>, ms: number): Promise<void> {
  const data = { organizationId: ctx.organizationId, tableId }
  return ctx.jobs.send(ctx.db, describeColumnsJob, data, { at: new Date(Date.now() + ms) })
}

/** Safe to repeat. Rows that are changed meanwhile queue another run. */
export async function describeColumns(services: ColumnServices, data: ColumnData, signal: AbortSignal): Promise<void> {
  const { database, jobs } = services
  const { organizationId, tableId } = data
  const write = <T>(run: (ctx: JobContext) => Promise<T>) =>
    database.organization(organizationId, (db) => run({ db, organizationId, jobs }), { isolation: 'read committed' })
  const columns = await write(async (ctx) => {
    if (await store.isImporting(ctx, tableId)) return void (await describeIn(ctx, tableId, IMPORT_MS))
    return store.takeStale(ctx, tableId)
  })
  if (!columns) return
  const facts = columns.map(noFacts)
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const rows = await write((ctx) => store.listTypedRows(ctx, tableId, after, ROWS_PER_READ))
    const last = rows.at(-1)
    if (!last) break
    after = last.number
    for (const row of rows) noteRow(columns, facts, row)
  }
  await write((ctx) => save({ ...ctx, now: new Date() }, tableId, columns, described(columns, facts)))
}

function noteRow(columns: TableColumn[], facts: ColumnFacts[], { number, cells, typed }: store.TypedCells): void {
  columns.forEach(({ type }, at) => {
    const column = facts[at]
    const [cell, value] = [cells[at] ?? '', typed[at] ?? null]
    if (column) noteCell(column, number, cell, { value, fits: value !== null || saysNothing(type, cell) })
  })
}

function described(columns: TableColumn[], facts: ColumnFacts[]): TableColumn[] {
  return columns.map((column, at) => ({ ...column, ...facts[at], notes: column.notes ?? [] }))
}

async function save(
  ctx: WriteContext,
  tableId: Id<'tables'>,
  before: TableColumn[],
  columns: TableColumn[],
): Promise<void> {
  const table = await store.saveColumns(ctx, tableId, before, columns)
  if (!table) return describeColumnsLater(ctx, tableId) // a type was chosen meanwhile
  if (table.importedColumn === null) return
  if (table.status === 'importing') {
    if (await store.markStale(ctx, tableId, ctx.now)) await describeIn(ctx, tableId, IMPORT_MS)
    return
  }
  const summary = await finishChunks(summaryChunk(columns))
  const known = await store.listSummary(ctx, tableId)
  const texts = ({ contentHash }: { contentHash: string }) => contentHash
  if (JSON.stringify(summary.map(texts)) === JSON.stringify(known.map(texts))) return
  await replaceSummary(ctx, { ...table, id: tableId }, summary, known)
}

async function replaceSummary(
  ctx: JobContext,
  { id, knowledgeSpaceId, name: title }: store.DescribedTable & { id: Id<'tables'> },
  summary: FinishedChunk[],
  known: store.SummaryChunk[],
): Promise<void> {
  await store.dropSummary(ctx, id, known, summary.length)
  const chunks = summary.map((chunk, ordinal) => ({ ...chunk, id: newId('chunks'), ordinal }))
  await insertChunks(ctx, { knowledgeSpaceId, kind: 'table', id, title, alsoAskedAs: [] }, chunks)
  const indexed = chunks.map(({ id: chunkId, headingPath, body }) => ({
    id: chunkId,
    headingPath,
    body,
    title,
    alsoAskedAs: [],
  }))
  await indexFewChunks(ctx, knowledgeSpaceId, indexed)
  await tidyLater(ctx, knowledgeSpaceId)
}
