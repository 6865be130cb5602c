// SQL that forgets what has run out.
import type { Db } from '#server/platform/db/database.ts'

/** Counters of the limiter, and addresses from which people signed in, are kept so long. */
const LIMITS_KEPT_MS = 90 * 24 * 60 * 60 * 1000

/** Deletes sessions and one-time values that expired before a moment, and counters that nobody has touched for long. */
export async function deleteExpired(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', before).execute()
  await db.deleteFrom('verifications').where('expires_at', '<', before).execute()
  const untouchedSince = before.getTime() - LIMITS_KEPT_MS
  await db.deleteFrom('auth_rate_limits').where('last_request', '<', untouchedSince).execute()
}
