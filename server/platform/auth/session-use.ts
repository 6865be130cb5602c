// When sessions were last used, and the end of those that their organization does not let rest that long.
import type { Database } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import { endInactive, recordUse } from './sessions.store.ts'

/** A use is written down at most this often: it is not in the way of requests, and need not be exact. */
const EVERY_MS = 60_000
/** Calls of an unused session are refused at once; this is for connections that stay open. */
const SWEEP_MS = 60_000
/** Sessions remembered in this process; beyond it the memory starts empty. */
const REMEMBERED_MAX = 10_000

/** A function that records uses of sessions in the background. */
export function createUseRecorder(database: Database, log: Logger): (id: Id<'sessions'>) => void {
  const recordedAt = new Map<Id<'sessions'>, number>()
  return (id) => {
    const now = Date.now()
    if (now - (recordedAt.get(id) ?? 0) < EVERY_MS) return
    if (recordedAt.size >= REMEMBERED_MAX) recordedAt.clear()
    recordedAt.set(id, now)
    recordUse(database.root, id, { now: new Date(now), everyMs: EVERY_MS }).catch((error: unknown) => {
      recordedAt.delete(id)
      log.warn({ err: error }, 'the use of a session was not recorded')
    })
  }
}

/** Ends unused sessions from time to time, so that open connections of theirs end too. @returns the function that stops it */
export function endUnusedSessions(database: Database, log: Logger): () => void {
  const sweep = () => {
    database
      .system('sign-in: end unused sessions', (db) => endInactive(db), { isolation: 'read committed' })
      .catch((error: unknown) => log.warn({ err: error }, 'unused sessions could not be ended'))
  }
  const timer = setInterval(sweep, SWEEP_MS).unref()
  return () => clearInterval(timer)
}
