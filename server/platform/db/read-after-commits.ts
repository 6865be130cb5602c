// Keeps what a server holds in memory as it is in the database, at no cost while nothing is written.
import type { Database } from './database.ts'

/** Hints of commits may get lost: after this long it is read in any case. */
const IN_ANY_CASE_MS = 30_000

/** `everyMs`: how soon after a commit, at the latest, and how often at most. `read` handles its errors: false, and it is tried again. */
type Reading = { everyMs: number; read(): Promise<boolean> }

/**
 * The first look always reads: the caller has read before this listened, and a commit in between would be noticed by none.
 * @returns the function that stops it
 */
export function readAfterCommits(database: Pick<Database, 'onCommit'>, { everyMs, read }: Reading): () => void {
  let isDue = true
  let isReading = false
  let readAt = performance.now()
  const stopListening = database.onCommit(() => {
    isDue = true
  })
  const timer = setInterval(async () => {
    if (isReading || !(isDue || performance.now() - readAt >= IN_ANY_CASE_MS)) return
    isReading = true
    isDue = false
    readAt = performance.now()
    if (!(await read())) isDue = true
    isReading = false
  }, everyMs).unref()
  return () => {
    clearInterval(timer)
    stopListening()
  }
}
