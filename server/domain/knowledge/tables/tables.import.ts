// The import of a column: its cells become searchable chunks. Runs at least once, fenced by attempts as documents are; chunks that an
// earlier attempt has finished are kept.

import { addSegment } from '#server/domain/knowledge/search/add-chunks.ts'
import type { CutChunk } from '#server/domain/knowledge/search/chunking/blocks.ts'
import { finishChunks } from '#server/domain/knowledge/search/chunking/finish-chunks.ts'
import type { IndexedChunk } from '#server/domain/knowledge/search/retrieval.ts'
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { Superseded } from '../documents/attempts.ts'
import { type ChunkSource, deleteChunks, insertChunks } from '../documents/chunks/chunks.store.ts'
import type { JobContext } from '../spaces/writes.ts'
import { rowChunks, summaryChunk } from './tables.chunks.ts'
import * as store from './tables.import.store.ts'

type ImportServices = Pick<Services, 'database' | 'jobs' | 'retrieval'>
type ImportData = { organizationId: Id<'organizations'>; tableId: Id<'tables'> }
type Work = {
  claimed: store.ClaimedImport
  retrieval: Services['retrieval']
  write<T>(run: (ctx: JobContext) => Promise<T>): Promise<T>
  signal: AbortSignal
}

const ROWS_PER_READ = 500
/** Each becomes an index segment. */
const CHUNKS_PER_SEGMENT = 1000

export const importColumnJob = defineJob<ImportData, ImportServices>({
  name: 'knowledge.import-column',
  limitSeconds: 900,
  concurrency: 1,
  run: (services, data, signal) => importColumn(services, data, signal),
})

/** Queues the import of a table that is in state importing. */
export function importLater(ctx: JobContext, tableId: Id<'tables'>): Promise<void> {
  return ctx.jobs.send(ctx.db, importColumnJob, { organizationId: ctx.organizationId, tableId })
}

/** Safe to repeat and to run concurrently. @throws unexpected errors, after they were recorded on the table */
export async function importColumn(services: ImportServices, data: ImportData, signal: AbortSignal): Promise<void> {
  const { organizationId, tableId } = data
  const { database, jobs, retrieval } = services
  const write: Work['write'] = (run) =>
    database.organization(organizationId, (db) => run({ db, organizationId, jobs }), { isolation: 'read committed' })
  const claimed = await write((ctx) => store.claimImport(ctx, tableId))
  if (!claimed) return
  const work: Work = { claimed, retrieval, write, signal }
  try {
    if (!claimed.isCut) await cut(work)
    const failure = await indexAll(work)
    await write((ctx) => store.finishImport(ctx, claimed, failure ? 'failed' : null))
    if (failure) throw failure.error
  } catch (error) {
    if (error instanceof Superseded) return
    if (signal.aborted) throw error // another process takes the job up
    await write((ctx) => store.finishImport(ctx, claimed, 'failed'))
    throw error
  }
}

/** In several transactions: one for a large table would keep all other writers waiting. */
async function cut({ claimed, write, signal }: Work): Promise<void> {
  const { tableId, columns, column } = claimed
  await write((ctx) => deleteChunks(ctx, claimed.knowledgeSpaceId, tableId)) // of an attempt that did not come to the end
  let count = await storeChunks({ claimed, write }, summaryChunk(columns), 0)
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const rows = await write((ctx) => store.listRowsAfter(ctx, tableId, after, ROWS_PER_READ))
    const last = rows.at(-1)
    if (!last) break
    after = last.number
    const chunks = rows.flatMap((row) => rowChunks(columns, column, row))
    count += await storeChunks({ claimed, write }, chunks, count)
  }
  await write((ctx) => store.recordCut(ctx, claimed, count))
}

/** @returns how many there were @throws Superseded */
async function storeChunks(
  { claimed, write }: Pick<Work, 'claimed' | 'write'>,
  cut: CutChunk[],
  first: number,
): Promise<number> {
  const measured = await finishChunks(cut)
  const chunks = measured.map((chunk, at) => ({ ...chunk, id: newId('chunks'), ordinal: first + at }))
  await write(async (ctx) => {
    if (!(await store.isCurrentImport(ctx, claimed))) throw new Superseded()
    await insertChunks(ctx, sourceOf(claimed), chunks)
  })
  return chunks.length
}

/** Chunks that cannot be indexed are left in state error. @returns the first reason; undefined when all are ready */
async function indexAll({ claimed, retrieval, write, signal }: Work): Promise<{ error: unknown } | undefined> {
  let failure: { error: unknown } | undefined
  for (;;) {
    signal.throwIfAborted()
    const chunks = await write((ctx) => store.takePending(ctx, claimed, CHUNKS_PER_SEGMENT))
    if (!chunks) throw new Superseded()
    if (chunks.length === 0) return failure
    const built = await segmentOf(retrieval, chunks)
    if ('error' in built) failure ??= built
    await write(async (ctx) => {
      const ids = chunks.map(({ id }) => id)
      if (!(await store.recordIndexed(ctx, claimed, ids, 'error' in built ? 'error' : 'ready'))) throw new Superseded()
      if ('blob' in built) await addSegment(ctx, claimed.knowledgeSpaceId, built.blob, ids.length)
    })
  }
}

async function segmentOf(
  retrieval: Services['retrieval'],
  chunks: IndexedChunk[],
): Promise<{ blob: Uint8Array } | { error: unknown }> {
  try {
    return { blob: await retrieval.buildSegment(chunks) }
  } catch (error) {
    return { error }
  }
}

function sourceOf({ knowledgeSpaceId, tableId, name }: store.ClaimedImport): ChunkSource {
  return { knowledgeSpaceId, kind: 'table', id: tableId, title: name, alsoAskedAs: [], importStatus: 'pending' }
}
