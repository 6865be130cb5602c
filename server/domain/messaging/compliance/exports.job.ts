// Writes files of conversations in the background, and removes them when they expire.

import { removeFilesLater } from '#server/domain/knowledge/documents/files/files.job.ts'
import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { EXPORT_DAYS, EXPORT_MAX_BYTES } from '#shared/limits.ts'
import { fileOf, readChosen } from './exports.read.ts'
import { exportWriter } from './exports.rules.ts'
import * as store from './exports.store.ts'

type Parts = Pick<Services, 'database' | 'files'>
type Asked = { organizationId: Id<'organizations'>; exportId: Id<'exports'> }

/** Minimum time between two progress updates, milliseconds. */
const PROGRESS_EVERY_MS = 500
/** An export without a heartbeat for so long has no writer any more, milliseconds. */
const GIVEN_UP_MS = 6 * 3_600_000

/** The export was cancelled. */
class Cancelled extends Error {}

export const exportJob = defineJob<Asked, Parts>({
  name: 'conversations.export',
  limitSeconds: 3600,
  concurrency: 2,
  isLocal: true,
  run: (services, asked, signal) => writeExport(services, asked, signal),
})

/** Hourly. */
export const forgetExportsJob = defineJob<object, Pick<Services, 'database' | 'jobs'>>({
  name: 'conversations.forget-exports',
  limitSeconds: 300,
  concurrency: 1,
  isLocal: true,
  schedule: '17 * * * *',
  run: (services) => forgetExports(services, new Date()),
})

/**
 * Writes one file. Starts from scratch after a server stop; an error ends it, and so does a member who cancels it: nothing is left of the
 * file then.
 */
async function writeExport({ database, files }: Parts, asked: Asked, signal: AbortSignal): Promise<void> {
  const { organizationId, exportId } = asked
  const write = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
    database.organization(organizationId, (db) => run({ db, organizationId }))
  const open = await write((ctx) => store.takeExport(ctx, exportId))
  if (!open) return
  try {
    const total = await write((ctx) => store.countChosen(ctx, open.chosen))
    const report = throttled(async (done) => {
      signal.throwIfAborted()
      if (!(await write((ctx) => store.noteProgress(ctx, exportId, { done, total })))) throw new Cancelled()
    })
    await report(0)
    const pieces = readChosen({ database, organizationId }, open.chosen, report)
    const body = fileOf(pieces, exportWriter(open.manner, open.createdAt.getTime()))
    const { sizeBytes } = await files.put(open.fileKey, body, EXPORT_MAX_BYTES)
    const end = { status: 'ready', sizeBytes, expiresAt: inDays(EXPORT_DAYS) } as const
    if (!(await write((ctx) => store.endExport(ctx, exportId, end)))) throw new Cancelled()
  } catch (error) {
    if (signal.aborted) throw error
    await files.remove(open.fileKey)
    if (error instanceof Cancelled) return
    await write((ctx) => store.endExport(ctx, exportId, { status: 'failed', expiresAt: inDays(EXPORT_DAYS) }))
    throw error
  }
}

/** Calls at once, and then at most once in each interval. */
function throttled(report: (done: number) => Promise<void>): (done: number) => Promise<void> {
  let reportedAt = 0
  return async (done) => {
    if (Date.now() - reportedAt < PROGRESS_EVERY_MS) return
    reportedAt = Date.now()
    await report(done)
  }
}

/** Removes files that have expired or were given up. Safe to repeat. */
export async function forgetExports({ database, jobs }: Pick<Services, 'database' | 'jobs'>, now: Date): Promise<void> {
  const givenUp = new Date(now.getTime() - GIVEN_UP_MS)
  await database.system(
    'conversations: forget exports',
    async (db) => removeFilesLater({ db, jobs }, await store.deleteExpired({ db }, now, givenUp)),
    { isolation: 'read committed' },
  )
}

function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000)
}
