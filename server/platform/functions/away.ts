// Calls that a database keeps waiting: one that is frozen, or behind a network that swallows packets, answers neither yes nor no.
import type { Database } from '#server/platform/db/database.ts'

/** A call that takes longer may be waiting for a database that is away. */
const LOOK_AFTER_MS = 2000
const LOOK_EVERY_MS = 1000
/** Looks in a row that must find it away: one may have met a busy moment. */
const LOOKS = 2

/** Counts as a lost connection by its code. What the call does may still come to an end. */
class DatabaseAwayError extends Error {
  override name = 'DatabaseAwayError'
  readonly code = '08006'
}

/**
 * What `running` comes to.
 * @throws DatabaseAwayError when it takes long and the database is away: nothing is known of it then
 */
export async function unlessAway<T>(database: Pick<Database, 'isWritable'>, running: Promise<T>): Promise<T> {
  const away = Promise.withResolvers<never>()
  let found = 0
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    found = (await database.isWritable()) ? 0 : found + 1
    if (found >= LOOKS) away.reject(new DatabaseAwayError('The database does not answer.'))
    else timer?.refresh()
  }
  const first = setTimeout(() => {
    timer = setTimeout(() => void look(), LOOK_EVERY_MS)
    void look()
  }, LOOK_AFTER_MS)
  try {
    return await Promise.race([running, away.promise])
  } finally {
    clearTimeout(first)
    clearTimeout(timer)
    timer = undefined
  }
}
