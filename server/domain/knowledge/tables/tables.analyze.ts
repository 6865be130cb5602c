// A table from "uploaded" to "ready" or "error": its file is parsed in a guarded process, and its rows are stored with their types. Runs at
// least once, fenced by attempts as documents are.

import { ParseFailure } from '#server/domain/knowledge/search/parsers/parse-failure.ts'
import type { ParsedTable } from '#server/domain/knowledge/search/parsers/tables/parse-table.ts'
import { readTableFile } from '#server/domain/knowledge/search/parsers/tables/table-file.ts'
import type { Services } from '#server/functions/services.ts'
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'
import type { Id } from '#shared/ids.ts'
import { STUCK_AFTER_MS } from '../documents/attempts.ts'
import { WAITING_MAX_MS } from '../documents/documents.reaper.ts'
import { finishImport } from './tables.import.store.ts'
import { insertSheets, listSheets, tellSheetsLeftOut } from './tables.sheets.store.ts'
import * as store from './tables.store.ts'
import { watchAnalysis } from './tables.watch.ts'

type AnalyzeServices = Pick<Services, 'database' | 'files' | 'jobs'>
type AnalyzeData = { organizationId: Id<'organizations'>; tableId: Id<'tables'> }

const ROWS_PER_WRITE = 1000

export const analyzeTableJob = defineJob<AnalyzeData, AnalyzeServices>({
  name: 'knowledge.analyze-table',
  limitSeconds: 300,
  concurrency: 1,
  isLocal: true,
  run: (services, data, signal) => analyzeTable(services, data, signal),
})

/** Sets tables that hang to state error, for Retry. */
export const reapTablesJob = defineJob<object, Pick<Services, 'database'>>({
  name: 'knowledge.reap-tables',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  run: (services) => reapTables(services, new Date()),
})

/** Queues the analysis of uploaded tables. */
export function analyzeLater(
  ctx: OrgStoreContext & { jobs: JobSender<Db> },
  ...tableIds: Id<'tables'>[]
): Promise<void> {
  const { organizationId } = ctx
  return ctx.jobs.sendAll(
    ctx.db,
    analyzeTableJob,
    tableIds.map((tableId) => ({ organizationId, tableId })),
  )
}

/** Safe to repeat and to run concurrently. @throws unexpected errors, after they were recorded on the table */
async function analyzeTable(services: AnalyzeServices, data: AnalyzeData, stopped: AbortSignal): Promise<void> {
  const { organizationId, tableId } = data
  const write = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
    services.database.organization(organizationId, (db) => run({ db, organizationId }), { isolation: 'read committed' })
  const claimed = await write((ctx) => store.claimTable(ctx, tableId))
  if (!claimed) return
  const watch = watchAnalysis(services.database, organizationId, claimed, stopped)
  try {
    const path = await services.files.localPath(claimed.fileKey)
    const parsed = await readTableFile(path, claimed, watch.signal)
    // In several transactions: one for a large table would keep all other writers waiting.
    for (let at = 0; at < parsed.rows.length; at += ROWS_PER_WRITE) {
      const rows = parsed.rows.slice(at, at + ROWS_PER_WRITE)
      if (!(await write((ctx) => store.insertRows(ctx, claimed, at + 1, rows)))) return // no longer wanted
    }
    await write((ctx) => finish({ ...ctx, jobs: services.jobs }, claimed, parsed))
  } catch (error) {
    if (stopped.aborted) throw error // another process takes the job up
    if (watch.signal.aborted) return
    const isRefusal = error instanceof ParseFailure
    await write((ctx) => store.failTable(ctx, tableId, isRefusal ? error.reason : 'failed', claimed.attempt))
    if (!isRefusal) throw error
  } finally {
    watch.end()
  }
}

/** The table can be queried. Other tables in the same sheet become tables of their own, once. */
async function finish(
  ctx: OrgStoreContext & { jobs: JobSender<Db> },
  claimed: store.ClaimedTable,
  parsed: ParsedTable,
): Promise<void> {
  if (!(await store.finishTable(ctx, claimed, parsed))) return
  if (claimed.sheet !== null || parsed.siblings.length === 0) return
  const known = await listSheets(ctx, claimed.tableId)
  const free = parsed.siblings.filter((name) => known.some((sheet) => sheet.name === name && sheet.tableId === null))
  const ids = await insertSheets(ctx, claimed.tableId, free, new Date())
  await tellSheetsLeftOut(ctx, claimed.fileKey)
  await analyzeLater(ctx, ...ids)
}

/** Safe to repeat. A table that came back to life in between is left alone. */
export async function reapTables({ database }: Pick<Services, 'database'>, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const since = { life: ago(STUCK_AFTER_MS), waiting: ago(WAITING_MAX_MS.busy) }
  const stuck = await database.system('knowledge: reap tables', (db) => store.listStuckTables({ db }, since), {
    readOnly: true,
  })
  for (const { organizationId, state, ...attempt } of stuck) {
    await database.organization(organizationId, async (db) => {
      const ctx = { db, organizationId }
      if (state === 'importing') return finishImport(ctx, attempt, 'timeout')
      await store.failTable(ctx, attempt.tableId, state === 'waiting' ? 'not_started' : 'timeout', attempt.attempt)
    })
  }
}
