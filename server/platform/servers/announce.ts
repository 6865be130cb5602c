// This process among the servers of the installation: a row while it runs, renewed by the clock, away from everything that answers customers.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { deleteServer, recordSign } from './servers.store.ts'

/** Between two signs of life, milliseconds. */
const EVERY_MS = 10_000

type Parts = { database: Pick<Database, 'silentRoot'>; version: string; log: Pick<Logger, 'warn'>; everyMs?: number }

/**
 * Announces this server, and again and again. A sign that fails is no failure of the server: the next one comes soon.
 * @returns removes the row; for a stop in order
 */
export async function announceServer({
  database,
  version,
  log,
  everyMs = EVERY_MS,
}: Parts): Promise<() => Promise<void>> {
  const begunAt = performance.now()
  const server = { id: randomUUID(), host: hostname(), version }
  const ctx = { db: database.silentRoot } // no live query depends on it, and no work becomes due by it
  let isStopped = false
  let signing: Promise<void> | null = null
  const sign = () => {
    signing ??= recordSign(ctx, server, performance.now() - begunAt)
      .catch((err: unknown) => {
        if (!isStopped) log.warn({ err }, 'a sign of life of this server was not written')
      })
      .finally(() => {
        signing = null
      })
    return signing
  }
  await sign()
  const timer = setInterval(() => void sign(), everyMs)
  timer.unref()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await signing // otherwise it could come after the removal
    await deleteServer(ctx, server.id).catch((err: unknown) => log.warn({ err }, 'this server was not signed off'))
  }
}
