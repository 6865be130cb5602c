// A document from "processing" to "ready" or "error", in steps: claim, parse, stage chunks, index, finish. Runs at least once, fenced by
// attempts:
//
//   1. A worker claims the document: attempt 1. Its process stalls, and the job is given to another: attempt 2.
//   2. The first wakes up and writes. Every write names its attempt and finds the document at 2: it changes nothing, the worker ends.
//   3. A cancellation or a deletion takes the document away in the same way.
//
// Until the last step searches find the previous content, and still do after a rejected file.
import { access } from 'node:fs/promises'
import { addSegment, tidyLater } from '#server/domain/knowledge/search/add-chunks.ts'
import { languageOf } from '#server/domain/knowledge/search/analysis/language.ts'
import type { ParsedDocument } from '#server/domain/knowledge/search/parsers/parse.ts'
import { ParseFailure } from '#server/domain/knowledge/search/parsers/parse-failure.ts'
import { parseFile } from '#server/domain/knowledge/search/parsers/parse-file.ts'
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import type { DocumentErrorReason } from '#shared/knowledge/knowledge.ts'
import type { JobContext } from '../spaces/writes.ts'
import { Superseded } from './attempts.ts'
import type { NewChunk } from './chunks/chunks.store.ts'
import { identified } from './chunks/passages.rules.ts'
import * as store from './documents.ingest.store.ts'
import { discardStaged, listFound, replaceChunks, stageChunks } from './documents.staging.store.ts'
import { watchAttempt } from './documents.watch.ts'

export type IngestServices = Pick<Services, 'database' | 'files' | 'jobs' | 'retrieval'>
export type IngestData = { organizationId: Id<'organizations'>; documentId: Id<'documents'>; tryNumber: number }
/** One attempt at work: how it writes, and how it learns that it is no longer wanted. */
type Work = {
  services: IngestServices
  claimed: store.Claimed
  signal: AbortSignal
  write<T>(run: (ctx: JobContext) => Promise<T>): Promise<T>
  /** @throws Superseded when the attempt is no longer the current one */
  progress(share: number): Promise<void>
}

/** Attempts in total after unexpected errors. */
export const MAX_TRIES = 3
const RETRY_AFTER_MS = 2_000
const CHUNKS_PER_WRITE = 300
/** Progress at which each step begins. */
const PROGRESS = { parsing: 0.02, chunking: 0.6, indexing: 0.8 }

export const ingestJob = defineJob<IngestData, IngestServices>({
  name: 'knowledge.ingest',
  limitSeconds: 300,
  concurrency: 2,
  isLocal: true,
  run: (services, data, signal) => ingest(services, data, signal),
})

/** Queues the processing of a document that is in state processing. */
export function ingestLater(ctx: JobContext, documentId: Id<'documents'>): Promise<void> {
  return ctx.jobs.send(ctx.db, ingestJob, { organizationId: ctx.organizationId, documentId, tryNumber: 1 })
}

/** Safe to repeat and to run twice at the same time. */
export async function ingest(services: IngestServices, data: IngestData, stopped: AbortSignal): Promise<void> {
  const { organizationId, documentId } = data
  const write: Work['write'] = (run) =>
    services.database.organization(organizationId, (db) => run({ db, organizationId, jobs: services.jobs }), {
      isolation: 'read committed',
    })
  const claimed = await write(async (ctx) => {
    const claimed = await store.claimDocument(ctx, documentId)
    if (claimed) await discardStaged(ctx, documentId)
    return claimed
  })
  if (!claimed) return
  const watch = watchAttempt(services.database, organizationId, claimed, stopped)
  try {
    await carryOut({ services, claimed, signal: watch.signal, write, progress: watch.progress })
  } catch (error) {
    if (watch.signal.aborted) {
      if (stopped.aborted) throw error // another process takes the job up
      return
    }
    await fail(write, claimed, data, error)
  } finally {
    watch.end()
  }
}

async function carryOut(work: Work): Promise<void> {
  await work.progress(PROGRESS.parsing)
  const parsed = await parse(work)
  await work.progress(PROGRESS.chunking)
  const before = await work.write((ctx) => listFound(ctx, work.claimed.documentId))
  const chunks = identified(work.claimed.name, parsed.chunks, before)
  await stage(work, chunks)
  await work.progress(PROGRESS.indexing)
  const known = new Set(before.map(({ id }) => id))
  await finish(work, parsed, { all: chunks, added: chunks.filter(({ id }) => !known.has(id)) })
}

async function parse({ services, claimed, signal, progress }: Work): Promise<ParsedDocument> {
  const path = await services.files.localPath(claimed.fileKey)
  await assertHere(path)
  const span = PROGRESS.chunking - PROGRESS.parsing
  return parseFile({
    path,
    format: claimed.format,
    passages: claimed.passages,
    options: claimed.reading,
    signal,
    onProgress: (share) => {
      progress(PROGRESS.parsing + share * span).catch(() => {}) // the watch stops the work if it is no longer wanted
    },
  })
}

/** The file of an upload through a server with a data folder of its own is not here. @throws ParseFailure file_elsewhere */
async function assertHere(path: string): Promise<void> {
  try {
    await access(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new ParseFailure('file_elsewhere', { cause: error })
  }
}

/** In several transactions: one for a large document would keep all other writers waiting. */
async function stage({ claimed, write, progress }: Work, chunks: NewChunk[]): Promise<void> {
  for (let at = 0; at < chunks.length; at += CHUNKS_PER_WRITE) {
    const share = PROGRESS.chunking + (at / chunks.length) * (PROGRESS.indexing - PROGRESS.chunking)
    await write(async (ctx) => {
      if (!(await store.recordProgress(ctx, claimed, share))) throw new Superseded()
      await stageChunks(ctx, claimed, chunks.slice(at, at + CHUNKS_PER_WRITE))
    })
    await progress(share)
  }
}

/** Ready means findable: chunks and index segment take their places in the transaction that says so. */
async function finish(
  { services, claimed, write }: Work,
  parsed: ParsedDocument,
  { all, added }: { all: NewChunk[]; added: NewChunk[] },
): Promise<void> {
  const { name: title, knowledgeSpaceId } = claimed
  const blob = await services.retrieval.buildSegment(
    added.map(({ id, headingPath, body }) => ({ id, headingPath, body, title, alsoAskedAs: [] })),
  )
  const language = languageOf(all.map(({ body }) => body))
  await write(async (ctx) => {
    const same = await store.findSameFile(ctx, claimed, parsed.fileHash)
    const isMine = await store.finishAttempt(ctx, claimed, {
      status: 'ready',
      chunkCount: all.length,
      tokenCount: all.reduce((sum, chunk) => sum + chunk.tokens, 0),
      extent: parsed,
      passages: claimed.passages,
      language,
      warnings: same ? [{ kind: 'same_file', ...same }, ...parsed.warnings] : parsed.warnings,
      fileHash: parsed.fileHash,
    })
    if (!isMine) throw new Superseded()
    const haveSomeGone = await replaceChunks(ctx, claimed)
    if (added.length > 0) await addSegment(ctx, knowledgeSpaceId, blob, added.length)
    if (haveSomeGone) await tidyLater(ctx, knowledgeSpaceId)
  })
}

/**
 * A rejected file is final; any other error is retried.
 * @throws the error itself after the last attempt, so that it is logged; the job then finds nothing left to do
 */
async function fail(write: Work['write'], claimed: store.Claimed, data: IngestData, error: unknown): Promise<void> {
  if (error instanceof Superseded) return
  const isRefusal = error instanceof ParseFailure
  const reason: DocumentErrorReason = isRefusal ? error.reason : 'failed'
  const isFinal = isRefusal || data.tryNumber >= MAX_TRIES
  await write(async (ctx) => {
    if (!(await store.isCurrent(ctx, claimed))) return
    await discardStaged(ctx, claimed.documentId)
    if (isFinal) {
      await store.finishAttempt(ctx, claimed, {
        status: 'error',
        reason,
        at: isRefusal ? error.at : null,
        choices: isRefusal ? error.choices : null,
      })
      return
    }
    await store.releaseAttempt(ctx, claimed)
    const at = new Date(Date.now() + RETRY_AFTER_MS * data.tryNumber)
    await ctx.jobs.send(ctx.db, ingestJob, { ...data, tryNumber: data.tryNumber + 1 }, { at })
  })
  if (isFinal && !isRefusal) throw error
}
