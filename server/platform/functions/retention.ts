// Forgets stored mutation outcomes that no client can ask for any more.
import type { Database } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { deleteOldOutcomes } from './mutation-log.store.ts'

const EVERY_MS = 3_600_000

/** Deletes old outcomes now and every hour, in the background. Call the result to stop. */
export function pruneOutcomes(database: Database, logger: Logger): () => void {
  const prune = () => {
    database
      .system('functions: forget old outcomes', (db) => deleteOldOutcomes({ db }, new Date()), {
        isolation: 'read committed',
      })
      .catch((error: unknown) => logger.warn({ err: error }, 'old outcomes could not be deleted'))
  }
  const timer = setInterval(prune, EVERY_MS).unref()
  prune()
  return () => clearInterval(timer)
}
